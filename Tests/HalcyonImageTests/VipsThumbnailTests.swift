import Foundation
import HalcyonImage
import Testing

/// The same files through `vipsthumbnail`, which shares libvips with us and nothing of our code.
@Suite(.timeLimit(.minutes(1)), .enabled(if: VipsThumbnail.isInstalled))
struct VipsThumbnailTests {
    @Test(
        "colours and sizes are those of vipsthumbnail",
        arguments: [
            "16-bit.png", "alpha.png", "broken-profile.jpg", "cmyk.jpg", "display-p3.jpg", "display-p3.png", "gps.webp",
            "gray-alpha.png", "gray.jpg", "interlaced.png", "one-bit.png", "orientation-3.jpg", "orientation-6.webp",
            "orientation-7.jpg", "palette-trns.png", "progressive.jpg", "still.avif", "upright.png", "moving.gif",
        ]
    )
    func alike(name: String) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("halcyon-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
        let bytes = try VariantRendererTests.file(name)
        let (original, small) = (folder.appendingPathComponent(name), folder.appendingPathComponent("small.png"))
        try Data(bytes).write(to: original)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: VipsThumbnail.path)
        // Without a profile of its own a picture is sRGB as it is.
        let isConverted = ["display", "broken", "cmyk"].contains { name.hasPrefix($0) }
        process.arguments =
            [original.path, "--size", "48x48", "-o", small.path + "[strip]"]
            + (isConverted ? ["--export-profile", "srgb"] : [])
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)

        let theirs = try Pixels([UInt8](Data(contentsOf: small)))
        let variant = try Variant(text: "w=48&h=48&format=png").resolved(accept: .unknown, source: VariantSource(bytes))
        let ours = try Pixels(VariantRenderer.render(bytes, as: variant).bytes)
        #expect((ours.width, ours.height) == (theirs.width, theirs.height))
        #expect(try ours.meanDifference(from: theirs) < 1)
    }
}

/// Of the package libvips-tools.
enum VipsThumbnail {
    static let path = "/usr/bin/vipsthumbnail"
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }
}
