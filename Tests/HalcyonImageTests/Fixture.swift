import Foundation
import HalcyonCrypto
import HalcyonImage
import Testing

/// A line of `Resources/manifest.tsv`: a file made by other people's encoders, and what other people's readers say of it.
struct Fixture: Sendable, CustomTestStringConvertible {
    let name: String
    let width: Int
    let height: Int
    let frames: Int
    let bytes: [UInt8]

    var testDescription: String { name }

    /// By the ending of the file's name.
    var format: ImageFormat? {
        ImageFormat.allCases.first { name.hasSuffix("." + $0.fileExtension) }
    }

    static func all() throws -> [Fixture] { try loaded.get() }

    static func named(_ name: String) throws -> Fixture { try #require(all().first { $0.name == name }) }

    private static let loaded = Result { try load() }

    private static func load() throws -> [Fixture] {
        let folder = Bundle.module.bundleURL.appendingPathComponent("Resources")
        let manifest = try String(contentsOf: folder.appendingPathComponent("manifest.tsv"), encoding: .utf8)
        return try manifest.split(separator: "\n").dropFirst().map { line in
            let fields = line.split(separator: "\t").map(String.init)
            try #require(fields.count == 6)
            let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(fields[0])))
            #expect(bytes.count == Int(fields[4]), "\(fields[0])")
            #expect(Digest(of: bytes).hex == fields[5], "\(fields[0])")
            return Fixture(
                name: fields[0], width: try #require(Int(fields[1])), height: try #require(Int(fields[2])),
                frames: try #require(Int(fields[3])), bytes: bytes)
        }
    }
}
