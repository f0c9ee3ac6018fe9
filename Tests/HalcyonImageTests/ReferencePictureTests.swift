import Foundation
import HalcyonImage
import Testing

/// Pictures that were looked at, in `docs/images`; what is drawn now must look the same.
/// `HALCYON_UPDATE_DOCS=1 scripts/test --filter ReferencePictureTests` draws them anew, to be looked at again.
@Suite(.timeLimit(.minutes(1)))
struct ReferencePictureTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../docs/images").standardizedFileURL

    @Test(
        "each fit, of a face of 480 × 600 in a box of 160 × 120",
        arguments: [
            ("fit-cover", "w=160&h=120&fit=cover"), ("fit-contain", "w=160&h=120&fit=contain"),
            ("fit-crop", "w=160&h=120&fit=crop"), ("fit-down", "w=160&h=120&fit=down"),
            ("round", "w=120&h=120&fit=cover&round=24"),
            ("round-max", "w=120&h=120&fit=cover&round=max"),
        ]
    )
    func fits(name: String, text: String) throws {
        try check(name, rendered(try SamplePortrait.jpeg(seed: 7), text))
    }

    @Test(
        "each fit, of a face of 64 × 80 that is smaller than the box one way",
        arguments: [
            ("small-cover", "w=160&h=60&fit=cover"), ("small-contain", "w=160&h=60&fit=contain"),
            ("small-crop", "w=160&h=60&fit=crop"), ("small-down", "w=160&h=60&fit=down"),
            ("small-cover-enlarged", "w=160&h=60&fit=cover&enlarge=1"),
            ("small-contain-enlarged", "w=160&h=100&fit=contain&enlarge=1"),
        ]
    )
    func smallOriginals(name: String, text: String) throws {
        let small = try rendered(try SamplePortrait.jpeg(seed: 7), "w=64&format=png")
        try check(name, rendered(small, text))
    }

    @Test(arguments: [
        ("placeholder", PlaceholderDrawing.silhouette), ("initials-korean", .initials(name: "김민서")),
        ("initials-short", .initials(name: "이산")), ("initials-latin", .initials(name: "Anna Maria Lee")),
    ])
    func placeholders(name: String, drawing: PlaceholderDrawing) throws {
        let variant = try Variant(text: "w=120&format=png").resolved(accept: .unknown, source: Placeholder.source)
        try check(name, Placeholder.rendered(drawing, as: variant).bytes)
    }

    @Test func sheet() throws {
        let names = ["김민서", "이산", "박지후", "남궁은우", "Anna Lee", "최서연", "Maximilian Oberhausen-Kim", "정하준"]
        let faces = try zip(1..., names).map { number, name in
            let isMissing = number == 3 || number == 7
            return ContactSheet.Face(
                number: number, name: name, picture: isMissing ? nil : try SamplePortrait.jpeg(seed: UInt64(number)))
        }
        let options = ContactSheet.Options(columns: 4, width: 560, format: .png, title: "1학년 2반")
        try check("sheet", ContactSheet.render(faces, options: options).bytes)
    }

    private func rendered(_ bytes: [UInt8], _ text: String) throws -> [UInt8] {
        let text = text.contains("format=") ? text : text + "&format=png"
        let variant = try Variant(text: text).resolved(accept: .unknown, source: VariantSource(bytes))
        return try VariantRenderer.render(bytes, as: variant).bytes
    }

    /// Other versions of the libraries may set a glyph or an edge a little differently.
    private func check(_ name: String, _ bytes: [UInt8]) throws {
        let file = Self.folder.appending(path: name + ".png")
        if ProcessInfo.processInfo.environment["HALCYON_UPDATE_DOCS"] != nil {
            try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
            try Data(bytes).write(to: file)
        }
        let reference = try Pixels([UInt8](Data(contentsOf: file)))
        #expect(try Pixels(bytes).meanDifference(from: reference) < 1.5, "\(name)")
    }
}
