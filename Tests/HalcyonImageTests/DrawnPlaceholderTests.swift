import Foundation
import HalcyonImage
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DrawnPlaceholderTests {
    @Test(arguments: [
        // Given names: a class has five Kims. Two syllables are a whole name.
        ("김민서", "민서"), ("이산", "이산"), ("남궁민수", "민수"), ("김 민서", "민서"), ("李小龍", "小龍"), ("별", "별"),
        ("Anna Maria Lee", "AL"), ("élodie", "É"), ("Ji-woo O'Neill", "JO"), ("anna  ", "A"), ("Ναταλία Κ.", "ΝΚ"),
        ("Zoe (new)", "ZN"), ("7 Anna", "A"), ("ß", "S"), ("ǆ ß", "ǄS"), ("ﬃ", "F"), ("", ""), ("<&>", ""), ("123", ""),
        ("👩‍🎓", ""),
    ])
    func initials(name: String, letters: String) {
        #expect(Initials.of(name) == letters)
    }

    @Test(
        "every size and format",
        arguments: [
            ("w=128", 128, 128), ("h=1", 1, 1), ("w=4096", 4096, 4096), ("w=300&h=200", 200, 200),
            ("w=300&h=200&fit=cover", 300, 200), ("w=300&h=200&fit=crop", 300, 200), ("w=300&h=200&fit=down", 200, 200),
            ("w=50&dpr=3", 150, 150), ("round=max", 256, 256),
        ])
    func sizes(text: String, width: Int, height: Int) throws {
        for format in ["jpeg", "png", "webp", "avif"] where width < 4096 || format == "jpeg" {
            for drawing in [PlaceholderDrawing.silhouette, .initials(name: "김민서")] {
                let variant = try Variant(text: text + "&format=" + format)
                    .resolved(accept: .unknown, source: Placeholder.source)
                let rendered = try Placeholder.rendered(drawing, as: variant)
                let info = try ImageProbe.probe(rendered.bytes)
                #expect((info.pixelWidth, info.pixelHeight) == (width, height), "\(format)")
                #expect(info.format.rawValue == format)
            }
        }
    }

    @Test func itIsNegotiatedAsAnyImage() throws {
        let resolved = try Variant(text: "w=128").resolved(accept: .init("image/webp"), source: Placeholder.source)
        #expect(resolved.format == .webp)
        #expect(try Variant(text: "w=9").resolved(accept: .unknown, source: Placeholder.source).format == .png)
    }

    @Test("markup in a name is text", arguments: ["<b>Bold", "&amp; Co", "\"><script", "A\u{0}B", "' onload='"])
    func escaped(name: String) throws {
        let variant = try Variant(text: "w=64").resolved(accept: .unknown, source: Placeholder.source)
        #expect(try Placeholder.rendered(.initials(name: name), as: variant).width == 64)
    }

    @Test func withoutALetterThereIsASilhouette() throws {
        let variant = try Variant(text: "w=64").resolved(accept: .unknown, source: Placeholder.source)
        #expect(
            try Placeholder.rendered(.initials(name: "123"), as: variant)
                == Placeholder.rendered(.silhouette, as: variant))
        #expect(PlaceholderDrawing.initials(name: "123").key == PlaceholderDrawing.silhouette.key)
    }

    @Test func lettersStandInTheMiddleInWhite() throws {
        for name in ["김민서", "이산", "Anna Lee", "Will Wagner"] {
            let variant = try Variant(text: "w=200&format=png").resolved(accept: .unknown, source: Placeholder.source)
            let pixels = try Pixels(Placeholder.rendered(.initials(name: name), as: variant).bytes)
            let white = (0..<200).flatMap { y in (0..<200).compactMap { pixels[$0, y].min() ?? 0 > 200 ? ($0, y) : nil }
            }
            let (columns, rows) = (white.map(\.0), white.map(\.1))
            let (left, right) = (try #require(columns.min()), try #require(columns.max()))
            let (top, bottom) = (try #require(rows.min()), try #require(rows.max()))
            #expect(left > 20 && right < 180 && abs(left - (199 - right)) < 12, "\(name)")
            #expect(bottom - top > 40 && abs(top - (199 - bottom)) < 16, "\(name)")
            #expect(white.count > 800, "\(name)")
        }
    }
}
