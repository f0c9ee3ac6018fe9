/// The weights of content negotiation (RFC 9110 §12.4.2).
enum QualityValue {
    /// Of a parameter `q=0.5`, in thousandths, 0...1000; `nil` for what is none.
    static func parameter(_ text: Substring) -> Int? {
        let bytes = Array(text.utf8.map(ASCII.lowercased).filter { !ASCII.isWhitespace($0) })
        guard bytes.starts(with: "q=".utf8), (3...7).contains(bytes.count),
            let whole = ASCII.digitValue(bytes[2]), bytes.count == 3 || bytes[3] == UInt8(ascii: ".")
        else { return nil }
        let decimals = bytes.dropFirst(4)
        guard decimals.allSatisfy(ASCII.isDigit) else { return nil }
        let thousandths = (0..<3).reduce(whole) { value, place in
            value * 10 + (place < decimals.count ? ASCII.digitValue(decimals[4 + place]) ?? 0 : 0)
        }
        return thousandths <= 1000 ? thousandths : nil
    }
}
