import Foundation
import Glibc
import HalcyonTestSupport
import Testing

@testable import HalcyonImage

/// With the built `halcyon` as the decoder.
@Suite(.timeLimit(.minutes(1)))
struct DecoderPoolTests {
    /// Beside the executable that holds the tests.
    private static let executable = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "halcyon").path

    @Test(
        "what comes back is what is rendered here",
        arguments: ["w=60", "w=60&format=webp", "w=20&h=20&fit=cover&round=max"])
    func sameResult(text: String) throws {
        let pool = DecoderPool(executable: Self.executable)
        defer { pool.stop() }
        for name in ["orientation-6.jpg", "alpha.png", "display-p3.jpg", "moving.gif"] {
            let bytes = try VariantRendererTests.file(name)
            let variant = try Variant(text: text).resolved(accept: .unknown, source: VariantSource(bytes))
            #expect(try pool.render(bytes, as: variant) == VariantRenderer.render(bytes, as: variant))
        }
    }

    @Test("what is drawn of ours comes back as it is drawn here")
    func sameDrawings() throws {
        let pool = DecoderPool(executable: Self.executable)
        defer { pool.stop() }
        let performer: RenderJob.Performer = { (job, bytes, limits, timeLimit) throws(RenderError) in
            try pool.perform(job, on: bytes, limits: limits, timeLimit: timeLimit)
        }
        for text in ["w=60&format=webp", "w=30&h=20&fit=cover&format=png", "format=jpeg"] {
            let variant = try Variant(text: text).resolved(accept: .unknown, source: Placeholder.source)
            for drawing in [PlaceholderDrawing.silhouette, .initials(name: "김민서")] {
                #expect(
                    try Placeholder.rendered(drawing, as: variant, by: performer)
                        == Placeholder.rendered(drawing, as: variant))
            }
        }
        let face = try VariantRendererTests.file("upright.png")
        let faces = [
            ContactSheet.Face(number: 1, name: "김민서 & <b>", picture: face),
            ContactSheet.Face(number: 2, name: "Zoë", picture: Array("<html>".utf8)),
            ContactSheet.Face(number: 3, name: "", picture: nil),
        ]
        for format in ContactSheet.Format.allCases {
            let options = ContactSheet.Options(width: 400, format: format)
            let page = try ContactSheet.render(faces, options: options, by: performer)
            #expect(page.unreadable == [2])
            #expect(try page == ContactSheet.render(faces, options: options))
        }
    }

    @Test func errorsComeThroughAndTheProcessStays() throws {
        let pool = DecoderPool(executable: Self.executable)
        defer { pool.stop() }
        let variant = try Self.variant("w=60")
        #expect(throws: RenderError.image(.notAnImage)) { try pool.render(Array("<html>".utf8), as: variant) }
        #expect(throws: RenderError.image(.empty)) { try pool.render([], as: variant) }
        let bytes = try VariantRendererTests.file("upright.png")
        #expect(throws: RenderError.image(.tooManyPixels(limit: 100))) {
            try pool.render(bytes, as: variant, limits: .init(maximumPixels: 100))
        }
        #expect(throws: RenderError.tooSlow) { try pool.render(bytes, as: variant, timeLimit: .zero) }
        #expect(try pool.render(bytes, as: variant).width == 60)
        #expect(Self.children().count == 1)
        #expect(pool.lost == 0)
    }

    @Test("a decoder that died idle costs no picture") func deadWhileIdle() throws {
        let pool = DecoderPool(executable: Self.executable)
        defer { pool.stop() }
        let (bytes, variant) = (try VariantRendererTests.file("upright.png"), try Self.variant("w=60"))
        #expect(try pool.render(bytes, as: variant).width == 60)
        let child = try #require(Self.children().first)
        // Dead, as of a fault in a decoder, and not yet waited for.
        kill(child, SIGKILL)
        var info = siginfo_t()
        #expect(waitid(P_PID, id_t(child), &info, Int32(WEXITED | WNOWAIT)) == 0)
        #expect(try pool.render(bytes, as: variant).width == 60)
        #expect(Self.children() != [child])
        #expect(pool.lost == 0)
    }

    @Test("a decoder that nobody needs ends, and the next picture has a new one") func idle() throws {
        let pool = DecoderPool(executable: Self.executable)
        defer { pool.stop() }
        let (bytes, variant) = (try VariantRendererTests.file("upright.png"), try Self.variant("w=60"))
        _ = try pool.render(bytes, as: variant)
        pool.endIdle(for: .seconds(3600))
        #expect(Self.children().count == 1)
        pool.endIdle(for: .zero)
        #expect(Self.children().isEmpty)
        #expect(try pool.render(bytes, as: variant).width == 60)
        #expect(pool.lost == 0)
    }

    @Test(
        "where no memory may be both written and executed, as under systemd's switch for that, pictures are made all the same"
    )
    func withoutWritableCode() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "halcyon-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = folder.appending(path: "decoder")
        // PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN: since Linux 6.3, and without effect before.
        let script = """
            #!/usr/bin/env python3
            import ctypes, os, sys
            ctypes.CDLL(None).prctl(65, 1, 0, 0, 0)
            os.execv("\(Self.executable)", ["halcyon"] + sys.argv[1:])
            """
        try Data(script.utf8).write(to: program)
        #expect(chmod(program.path, 0o700) == 0)
        let pool = DecoderPool(executable: program.path)
        defer { pool.stop() }
        for text in ["w=20&format=jpeg", "w=20&format=webp", "w=20&h=20&fit=cover&round=max&format=png"] {
            for name in ["orientation-6.jpg", "alpha.png", "moving.gif"] {
                let bytes = try VariantRendererTests.file(name)
                let variant = try Variant(text: text).resolved(accept: .unknown, source: VariantSource(bytes))
                #expect(try pool.render(bytes, as: variant).width <= 20)
            }
        }
        #expect(pool.lost == 0)
    }

    @Test("a crash costs one picture") func crash() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "halcyon-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Says that it is there, and dies of what it is asked.
        let program = folder.appending(path: "decoder")
        try Data("#!/bin/sh\nhead -c 8 /dev/zero >&3\nhead -c 1 <&3 >/dev/null\nkill -9 $$\n".utf8).write(to: program)
        #expect(chmod(program.path, 0o700) == 0)
        let pool = DecoderPool(executable: program.path)
        defer { pool.stop() }
        for count in 1...2 {
            #expect(throws: RenderError.crashed) { try pool.render([1], as: try Self.variant("w=60")) }
            #expect(pool.lost == count)
        }
        #expect(Self.children().isEmpty)
    }

    @Test("a decoder that does not return is killed at its time") func hang() throws {
        let pool = DecoderPool(executable: Self.executable)
        defer { pool.stop() }
        let (bytes, variant) = (try VariantRendererTests.file("upright.png"), try Self.variant("w=60"))
        #expect(try pool.render(bytes, as: variant).width == 60)
        let child = try #require(Self.children().first)
        kill(child, SIGSTOP)
        #expect(throws: RenderError.tooSlow) { try pool.render(bytes, as: variant, timeLimit: .milliseconds(20)) }
        #expect(kill(child, 0) != 0)
        #expect(pool.lost == 1)
        #expect(try pool.render(bytes, as: variant).width == 60)
    }

    @Test func aProgramThatIsNoDecoderIsTold() throws {
        let variant = try Self.variant("w=60")
        for program in ["/bin/true", "/nowhere/halcyon"] {
            let pool = DecoderPool(executable: program)
            let error = #expect(throws: RenderError.self) { try pool.render([1], as: variant) }
            if case .library = error {} else { Issue.record("\(String(describing: error))") }
        }
    }

    @Test func stoppingLeavesNoProcess() throws {
        let pool = DecoderPool(executable: Self.executable)
        _ = try pool.render(VariantRendererTests.file("upright.png"), as: Self.variant("w=60"))
        #expect(Self.children().count == 1)
        pool.stop()
        #expect(Self.children().isEmpty)
    }

    @Test(arguments: [
        RenderError.image(.empty), .image(.notAnImage), .image(.truncated), .image(.tooManyPixels(limit: 7)),
        .image(.tooManyFrames(limit: 9)), .image(.unsupported(.svg)), .image(.malformed(.avif)), .tooSlow,
        .tooLarge(.webp, maximumSide: 16_383), .noEncoder(.avif), .library("a text: of words"), .library(""),
        .busy(retryAfterSeconds: 3), .cancelled, .crashed,
    ])
    func errorsAreTextAndBack(error: RenderError) {
        #expect(RenderError(text: error.text) == error)
    }

    @Test(arguments: ["", "what", "image", "image malformed gold", "large webp", "encoder"])
    func whatIsNoErrorIsNone(text: String) { #expect(RenderError(text: text) == nil) }

    private static func variant(_ text: String) throws -> ResolvedVariant {
        try Variant(text: text).resolved(accept: .unknown, source: source(.png))
    }

    /// Decoders that this process has started.
    private static func children() -> [pid_t] {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return folders.compactMap { pid_t($0) }.filter { process in
            guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
                let command = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
            else { return false }
            let fields = status.split(separator: ")").last?.split(separator: " ") ?? []
            return fields.count > 1 && fields[1] == "\(getpid())" && command.contains(DecoderWorker.argument)
        }
    }
}
