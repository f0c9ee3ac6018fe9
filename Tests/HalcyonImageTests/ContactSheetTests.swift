import Foundation
import HalcyonImage
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ContactSheetTests {
    @Test(arguments: [(1, nil), (7, 3), (30, nil), (30, 6), (40, 12), (300, nil), (0, nil)] as [(Int, Int?)])
    func aClassIsOnePageInEveryFormat(count: Int, columns: Int?) throws {
        let face = try SamplePortrait.jpeg(seed: 3)
        let faces = (0..<count).map {
            ContactSheet.Face(number: $0 + 1, name: "김민서", picture: $0 == 0 ? face : nil)
        }
        for format in ContactSheet.Format.allCases {
            let options = ContactSheet.Options(columns: columns, width: 600, format: format, title: "1학년 2반")
            let page = try ContactSheet.render(faces, options: options)
            #expect(page.width == 600 && page.height > 0 && page.unreadable.isEmpty)
            switch format {
            case .pdf: #expect(page.height == 849)
            default:
                #expect(page.height <= 849)
                let info = try ImageProbe.probe(page.bytes)
                #expect(
                    info == ImageInfo(format: format == .png ? .png : .jpeg, pixelWidth: 600, pixelHeight: page.height))
            }
        }
    }

    @Test("ISO 32000-1 §7.5: every object is where the table says, and the picture is whole") func pdf() throws {
        let faces = [ContactSheet.Face(number: 1, name: "Anna Lee", picture: try SamplePortrait.jpeg(seed: 1))]
        let page = try ContactSheet.render(faces, options: .init(width: 400, format: .pdf))
        let data = Data(page.bytes)
        let text = String(decoding: page.bytes, as: UTF8.self)
        #expect(text.hasPrefix("%PDF-1.4\n") && text.hasSuffix("%%EOF\n"))
        let start = try #require(data.range(of: Data("startxref\n".utf8)))
        let table = try #require(Int(String(decoding: data[start.upperBound...].prefix { $0 != 0x0A }, as: UTF8.self)))
        let lines = String(decoding: data[table...], as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        try #require(lines[0] == "xref" && lines[1] == "0 6")
        for number in 1...5 {
            let offset = try #require(Int(lines[2 + number].prefix(10)))
            #expect(lines[2 + number].utf8.count == 19)
            #expect(data[offset...].starts(with: Data("\(number) 0 obj\n".utf8)))
        }
        let stream = try #require(data.range(of: Data("/DCTDecode".utf8)))
        let jpeg = try #require(data.range(of: Data("stream\n".utf8), in: stream.upperBound..<data.endIndex))
        let info = try ImageProbe.probe([UInt8](data[jpeg.upperBound...]))
        #expect(info == ImageInfo(format: .jpeg, pixelWidth: page.width, pixelHeight: page.height))
    }

    @Test("a face that cannot be decoded is a placeholder, and is named") func unreadable() throws {
        let broken = Array(try SamplePortrait.jpeg(seed: 1).dropLast(4000))
        let faces = [(1, broken), (2, nil), (3, Array("<html>".utf8))]
            .map { ContactSheet.Face(number: $0.0, name: "가나다", picture: $0.1) }
        let page = try ContactSheet.render(faces, options: .init(width: 400, format: .png))
        #expect(page.unreadable == [1, 3])
        let missing = faces.map { ContactSheet.Face(number: $0.number, name: $0.name, picture: nil) }
        #expect(try ContactSheet.render(missing, options: .init(width: 400, format: .png)).bytes == page.bytes)
    }

    @Test func whatSaysNothingOfThePictureIsThrown() throws {
        let faces = [ContactSheet.Face(number: 1, name: "가", picture: [1])]
        #expect(throws: RenderError.busy(retryAfterSeconds: 2)) {
            try ContactSheet.render(
                faces, by: { (_, _, _, _) throws(RenderError) in throw .busy(retryAfterSeconds: 2) })
        }
    }

    @Test(
        "names are text, of any length",
        arguments: ["</text><image/>", "&", String(repeating: "김", count: 300), "", "\u{0}\u{1B}", "e\u{301}\u{202E}x"])
    func names(name: String) throws {
        let faces = (1...4).map { ContactSheet.Face(number: $0, name: name, picture: nil) }
        let page = try ContactSheet.render(
            faces, options: .init(columns: 4, width: 400, format: .png, title: name, initials: true))
        #expect(page.width == 400)
    }

    @Test func facesFromACacheGiveThePageOfTheOriginals() throws {
        let originals = try (1...6).map { try SamplePortrait.jpeg(seed: UInt64($0)) }
        let options = ContactSheet.Options(columns: 3, width: 800, format: .png)
        let variant = ContactSheet.faceVariant(count: 6, options: options)
        let cached = try originals.map { bytes in
            try VariantRenderer.render(bytes, as: variant.resolved(accept: .unknown, source: VariantSource(bytes)))
                .bytes
        }
        let pages = try [originals, cached].map { pictures in
            let faces = zip(1..., pictures).map { ContactSheet.Face(number: $0, name: "이름", picture: $1) }
            return try Pixels(ContactSheet.render(faces, options: options).bytes)
        }
        #expect(try pages[0].meanDifference(from: pages[1]) < 1)
    }
}
