/// What an `Accept` field says of the formats that variants have (RFC 9110 §12.5.1), and nothing else of it: any number of
/// different fields come down to few values.
package struct AcceptedFormats: Sendable, Hashable {
    /// Quality in thousandths, 0 refused; for WebP and AVIF only if the field names them, as browsers that cannot show
    /// them send `*/*` too.
    let jpeg: UInt16
    let png: UInt16
    let webp: UInt16
    let avif: UInt16

    /// No `Accept` at all: anything, and nothing that was not named.
    package static let unknown = AcceptedFormats("*/*")

    /// - Parameter field: all lines joined by commas. Members that cannot be read are passed over.
    package init(_ field: String?) {
        var named: [Substring: UInt16] = [:]
        for member in (field ?? "*/*").lowercased().split(separator: ",") {
            let parts = member.split(separator: ";", omittingEmptySubsequences: false).map(Self.trimmed)
            // The first `q` is the weight. Other parameters narrow the type, and images are not sent with any.
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }
            guard let quality = weight.map({ Self.thousandths($0.dropFirst(2)) }) ?? 1000 else { continue }
            named[parts[0]] = Swift.max(named[parts[0]] ?? 0, quality)
        }
        // An empty field, or one that holds nothing readable, refuses nothing (§12.4.1).
        let others = named["image/*"] ?? named["*/*"] ?? (named.isEmpty ? 1000 : 0)
        jpeg = named["image/jpeg"] ?? others
        png = named["image/png"] ?? others
        webp = named["image/webp"] ?? 0
        avif = named["image/avif"] ?? 0
    }

    /// A qvalue (§12.4.2) in thousandths.
    private static func thousandths(_ text: Substring) -> UInt16? {
        let digits = Array(text.utf8)
        guard let whole = digits.first, whole == 0x30 || whole == 0x31, digits.count <= 5 else { return nil }
        guard digits.count == 1 || digits[1] == 0x2E else { return nil }
        var value = UInt16(whole - 0x30) * 1000
        for (digit, place) in zip(digits.dropFirst(2), [100, 10, 1] as [UInt16]) {
            guard (0x30...0x39).contains(digit) else { return nil }
            value += UInt16(digit - 0x30) * place
        }
        return value <= 1000 ? value : nil
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
