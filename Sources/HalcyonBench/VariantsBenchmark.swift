internal import Foundation
internal import HalcyonImage

/// Variants of originals in a folder: how long all of them take, and what one costs in a process of its own.
struct VariantsBenchmark {
    let folder: String

    /// Draws `count` portraits of 3000 × 4000 pixels.
    func draw(_ count: Int) throws {
        let variant = try Variant(text: "w=3000&h=4000&fit=cover&enlarge=1&format=jpeg&q=90")
        for number in 1...count {
            let small = try SamplePortrait.jpeg(seed: UInt64(number))
            let resolved = variant.resolved(accept: .unknown, source: try VariantSource(small))
            let large = try VariantRenderer.render(small, as: resolved)
            try Data(large.bytes).write(to: URL(filePath: folder).appending(path: "\(number).jpg"))
        }
    }

    /// All files to 256 pixels by a lane of `width`, here or in processes; writes them to `output` and prints seconds and
    /// the most memory that this process and its children had.
    func run(width: Int, inProcesses: Bool, output: String) async throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".jpg") }.sorted()
        let (lane, pool) = (PixelLane(width: width, maximumWaiting: files.count), DecoderPool())
        let folder = folder
        let variant = try Variant(text: "w=256&h=256&format=jpeg")
        let start = ContinuousClock.now
        let done = try await withThrowingTaskGroup(of: Bool.self) { group in
            for file in files {
                group.addTask {
                    let thumbnail: RenderedImage = try await lane.run { () throws(RenderError) in
                        guard let data = FileManager.default.contents(atPath: folder + "/" + file) else {
                            throw .library("a file cannot be read")
                        }
                        let bytes = [UInt8](data)
                        let source: VariantSource
                        do throws(ImageError) { source = try VariantSource(bytes) } catch { throw .image(error) }
                        let resolved = variant.resolved(accept: .unknown, source: source)
                        return inProcesses
                            ? try pool.render(bytes, as: resolved) : try VariantRenderer.render(bytes, as: resolved)
                    }
                    try Data(thumbnail.bytes).write(to: URL(filePath: output + "/" + file))
                    return max(thumbnail.width, thumbnail.height) == 256
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        let time = ContinuousClock.now - start
        guard done == files.count else { throw BenchmarkError.check("a thumbnail has another size") }
        let children = inProcesses ? try Self.childrenMemory() : 0
        print("\(seconds(time)) \((try Self.peakKiB("self") + children) / 1024)")
        lane.stop()
        pool.stop()
    }

    /// Prints what one picture takes here and in a process, in milliseconds: medians over five batches of 40 each, in turn.
    func price() throws {
        let pool = DecoderPool()
        for file in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() where file.hasSuffix(".jpg") {
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: folder + "/" + file)))
            let variant = try Variant(text: "w=128&h=128&fit=cover&format=jpeg")
                .resolved(accept: .unknown, source: VariantSource(bytes))
            // The first ones load the library and start the process.
            guard try VariantRenderer.render(bytes, as: variant) == pool.render(bytes, as: variant) else {
                throw BenchmarkError.check("the process renders something else")
            }
            var times: (here: [Double], there: [Double]) = ([], [])
            for _ in 0..<5 {
                for _ in 0..<40 {
                    times.here.append(try Self.milliseconds { try VariantRenderer.render(bytes, as: variant) })
                }
                for _ in 0..<40 { times.there.append(try Self.milliseconds { try pool.render(bytes, as: variant) }) }
            }
            let (here, there) = (times.here.sorted()[100], times.there.sorted()[100])
            print(
                "decoder: \(bytes.count / 1024) KiB: \(decimal(here)) ms here, \(decimal(there)) ms in a process, "
                    + "\(decimal(there - here)) ms more")
        }
        pool.stop()
    }

    private static func milliseconds(_ work: () throws -> RenderedImage) rethrows -> Double {
        let start = ContinuousClock.now
        _ = try work()
        return (ContinuousClock.now - start) / .milliseconds(1)
    }

    private static func childrenMemory() throws -> Int {
        let parent = "PPid:\t\(getpid())\n"
        return try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int($0) }.reduce(0) {
            sum, process in
            // One that has ended meanwhile has no memory.
            guard let data = FileManager.default.contents(atPath: "/proc/\(process)/status") else { return sum }
            return String(decoding: data, as: UTF8.self).contains(parent) ? sum + (try peakKiB("\(process)")) : sum
        }
    }

    private static func peakKiB(_ process: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { Int($0.split(separator: "\t").last?.split(separator: " ").first ?? "") } ?? 0
    }
}
