internal import Foundation
internal import HalcyonCrypto
internal import HalcyonHTTP
internal import HalcyonStore

/// How Halcyon behaves with many objects in its cache: start, a disk hit, a purge by the index, and the cost of a memory
/// hit at 1,000 and at 200,000 entries.
struct ObjectsBenchmark {
    static let count = 200_000
    static let expiredCount = 10_000
    private static let bytes = [UInt8](repeating: 7, count: 1_024)

    let binary: String
    let folder: String

    func run() async throws {
        try await fill()
        try await start()
        try await purge()
        compareHits()
    }

    private func url(_ number: Int) -> String { "http://127.0.0.1:9/photo-\(number).png" }

    private func metadata(isExpired: Bool, now: Date) -> EntryMetadata {
        EntryMetadata(
            contentType: "image/png", host: "127.0.0.1", tags: ["class:1-1"], storedAt: now,
            expiresAt: now.addingTimeInterval(isExpired ? -1 : 86_400), digest: Digest(of: Self.bytes),
            byteCount: Self.bytes.count)
    }

    private func fill() async throws {
        let disk = DiskCache(configuration: DiskCacheConfiguration(folder: folder))
        await disk.open()
        let now = Date()
        let elapsed = try await ContinuousClock().measure {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for lane in 0..<32 {
                    group.addTask {
                        for number in stride(from: lane, to: Self.count, by: 32) {
                            let outcome = await disk.store(
                                Self.bytes, metadata: metadata(isExpired: number < Self.expiredCount, now: now),
                                for: CacheKey(url: url(number)), generation: disk.generation, durability: .written)
                            guard outcome == .stored else { throw BenchmarkError.check("a store ended as \(outcome)") }
                        }
                    }
                }
                try await group.waitForAll()
            }
            await disk.close()
        }
        // What was written goes to the disk now, so that the start is not measured behind it.
        sync()
        print("objects: \(Self.count) stored in \(seconds(elapsed)) s, \(perItem(elapsed, Self.count)) µs each")
    }

    private func start() async throws {
        let port = try FreePort.find()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: binary)
        process.arguments = [
            "serve", "--listen", "127.0.0.1:\(port)", "--cache-dir", folder, "--database", folder + "-records.sqlite",
            "--allow-origin", "127.0.0.1:9=127.0.0.0/8", "--log-level", "error",
        ]
        var configuration = FetchConfiguration(
            policy: OriginPolicy(rules: [try OriginRule("127.0.0.1=127.0.0.0/8")]))
        // It is asked again and again until it listens: that must not make the fetcher leave it alone.
        configuration.breakerThreshold = .max
        let fetcher = try Fetcher(configuration: configuration)
        let target = url(Self.count - 1).addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let health = try CanonicalURL("http://127.0.0.1:\(port)/healthz")
        let photo = try CanonicalURL("http://127.0.0.1:\(port)/images?url=\(target)")
        let clock = ContinuousClock()
        let begin = clock.now
        try process.run()
        var isAlive = false
        while !isAlive, clock.now - begin < .seconds(30) {
            do {
                isAlive = try await fetcher.fetch(FetchRequest(url: health, retries: 0)).status == 200
            } catch {
                // Not listening yet.
                try await clock.sleep(for: .milliseconds(5))
            }
        }
        let untilAlive = clock.now - begin
        let answer = try await fetcher.fetch(FetchRequest(url: photo, retries: 0))
        let untilPhoto = clock.now - begin
        process.terminate()
        process.waitUntilExit()
        await fetcher.shutDown()
        guard isAlive, answer.status == 200, answer.body == Self.bytes,
            answer.fields["Cache-Status"]?.contains("hit") == true
        else { throw BenchmarkError.check("the server did not answer a kept photo as a hit") }
        print(
            "objects: start to /healthz \(seconds(untilAlive)) s, to the first photo from disk \(seconds(untilPhoto)) s"
        )
    }

    private func purge() async throws {
        let disk = DiskCache(configuration: DiskCacheConfiguration(folder: folder))
        await disk.open()
        var removed = 0
        let elapsed = try await ContinuousClock().measure {
            removed = try await disk.purge(.expired, isDryRun: false).count
        }
        guard removed == Self.expiredCount else { throw BenchmarkError.check("\(removed) removed") }
        await disk.close()
        print("objects: \(removed) expired of \(Self.count) purged in \(seconds(elapsed)) s")
    }

    private func compareHits() {
        let (few, many) = (hitNanoseconds(entries: 1_000), hitNanoseconds(entries: Self.count))
        print(
            "objects: memory hit \(decimal(few)) ns at 1,000 entries, \(decimal(many)) ns at \(Self.count): "
                + "ratio \(decimal(many / few))")
    }

    /// The median of five runs over keys in a fixed random order.
    private func hitNanoseconds(entries: Int) -> Double {
        var configuration = MemoryCacheConfiguration()
        configuration.limitBytes = 4 << 30
        let memory = MemoryCache(configuration: configuration)
        let now = Date()
        let bytes = EntryBytes(copying: [0])
        let keys = (0..<entries).map { CacheKey(url: url($0)) }
        for key in keys {
            memory.insert(CacheEntry(key: key, bytes: bytes, metadata: metadata(isExpired: false, now: now)))
        }
        var state: UInt64 = 42
        let order = (0..<1_000_000).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return keys[Int(state >> 33) % entries]
        }
        let runs = (0..<5).map { _ in
            var hits = 0
            let elapsed = ContinuousClock().measure {
                for key in order where memory.entry(for: key) != nil { hits += 1 }
            }
            precondition(hits == order.count, "every key is there")
            return elapsed / .nanoseconds(1) / Double(order.count)
        }
        return runs.sorted()[2]
    }
}
