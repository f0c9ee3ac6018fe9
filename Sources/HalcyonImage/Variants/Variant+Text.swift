/// Reading the parameters, and writing them in one way.
extension Variant {
    package static let parameterNames = ["w", "h", "fit", "enlarge", "dpr", "format", "q", "round"]

    /// - Parameter items: decoded names and values of a query; those that are no parameters of a variant are left alone.
    /// - Throws: `wrongType`, `outOfRange`, `repeated`.
    package init(items: [(name: String, value: String)]) throws(VariantError) {
        var values: [String: String] = [:]
        for (name, value) in items where Self.parameterNames.contains(name) {
            guard values.updateValue(value, forKey: name) == nil else { throw .repeated(parameter: name) }
        }
        self.init(
            width: try Self.number(values["w"], "w", 1...Self.maximumSide),
            height: try Self.number(values["h"], "h", 1...Self.maximumSide),
            fit: try Self.word(values["fit"], "fit") ?? .contain,
            enlarge: try Self.flag(values["enlarge"], "enlarge"),
            dprHundredths: try Self.hundredths(values["dpr"]) ?? 100,
            format: try Self.word(values["format"], "format"),
            quality: try Self.number(values["q"], "q", 1...100),
            corner: try Self.corner(values["round"])
        )
    }

    /// `w=128&h=96`, or with commas, as on a command line.
    /// - Throws: also `unknown`, as nobody else would tell of a mistyped name.
    package init(text: String) throws(VariantError) {
        var items: [(name: String, value: String)] = []
        for part in text.split(whereSeparator: { $0 == "&" || $0 == "," }) {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, Self.parameterNames.contains(String(pair[0])) else { throw .unknown }
            items.append((String(pair[0]), String(pair[1])))
        }
        try self.init(items: items)
    }

    /// The parameters in their order with what is taken anyway left out; empty for the original. Two variants that differ
    /// only in what has no effect here have the same text.
    package var text: String {
        guard !isOriginal else { return "" }
        var items: [String] = []
        if let width { items.append("w=\(width)") }
        if let height { items.append("h=\(height)") }
        if width != nil, height != nil, fit != .contain { items.append("fit=\(fit.rawValue)") }
        if enlarge, width != nil || height != nil { items.append("enlarge=1") }
        if dprHundredths != 100, width != nil || height != nil || corner.isRadius { items.append("dpr=\(dprText)") }
        if let format, format != .auto || items.isEmpty && quality == nil && corner == .square {
            items.append("format=\(format.rawValue)")
        }
        if let quality { items.append("q=\(quality)") }
        switch corner {
        case .square: break
        case .radius(let radius): items.append("round=\(radius)")
        case .max: items.append("round=max")
        }
        return items.joined(separator: "&")
    }

    private var dprText: String {
        let (whole, part) = dprHundredths.quotientAndRemainder(dividingBy: 100)
        if part == 0 { return "\(whole)" }
        return part % 10 == 0 ? "\(whole).\(part / 10)" : "\(whole).\(part < 10 ? "0" : "")\(part)"
    }

    private static func number(
        _ value: String?, _ parameter: String, _ range: ClosedRange<Int>
    ) throws(VariantError) -> Int? {
        guard let value else { return nil }
        let accepted = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        guard let number = whole(value) else { throw .wrongType(parameter: parameter, accepted: accepted) }
        guard range.contains(number) else { throw .outOfRange(parameter: parameter, accepted: accepted) }
        return number
    }

    /// Digits with or without a minus, which makes it a number that is out of any range here.
    private static func whole(_ text: String) -> Int? {
        text.hasPrefix("-") ? digits(text.dropFirst()).map { _ in -1 } : digits(text)
    }

    /// Digits alone, no sign; what does not fit in an `Int` is the largest one.
    private static func digits(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text) ?? .max
    }

    private static func word<Word: RawRepresentable<String> & CaseIterable>(
        _ value: String?, _ parameter: String
    ) throws(VariantError) -> Word? {
        guard let value else { return nil }
        guard let word = Word(rawValue: value) else {
            let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw .outOfRange(parameter: parameter, accepted: "one of \(words)")
        }
        return word
    }

    private static func flag(_ value: String?, _ parameter: String) throws(VariantError) -> Bool {
        switch value {
        case nil, "0", "false": return false
        case "1", "true": return true
        default: throw .outOfRange(parameter: parameter, accepted: "1, 0, true or false")
        }
    }

    /// 1 to 4 with at most two decimals that count; screens tell such as 2.625, whose third is rounded.
    private static func hundredths(_ value: String?) throws(VariantError) -> Int? {
        guard let value else { return nil }
        let accepted = "a number from 1 to 4, such as 2 or 1.5"
        let parts = value.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = digits(parts[0]), parts.count == 1 || digits(parts[1]) != nil else {
            throw .wrongType(parameter: "dpr", accepted: accepted)
        }
        guard whole <= 4 else { throw .outOfRange(parameter: "dpr", accepted: accepted) }
        let decimals = parts.count == 2 ? Array(parts[1].utf8.prefix(3)).map { Int($0) - 0x30 } : []
        let thousandths = zip(decimals, [100, 10, 1]).reduce(whole * 1000) { $0 + $1.0 * $1.1 }
        guard (1000...4000).contains(thousandths) else { throw .outOfRange(parameter: "dpr", accepted: accepted) }
        return (thousandths + 5) / 10
    }

    private static func corner(_ value: String?) throws(VariantError) -> Corner {
        guard let value else { return .square }
        if value == "max" { return .max }
        let accepted = "max or a whole number from 0 to \(maximumSide)"
        guard let radius = whole(value) else { throw .wrongType(parameter: "round", accepted: accepted) }
        guard (0...maximumSide).contains(radius) else { throw .outOfRange(parameter: "round", accepted: accepted) }
        return radius == 0 ? .square : .radius(radius)
    }
}

extension Variant.Corner {
    var isRadius: Bool {
        if case .radius = self { return true }
        return false
    }
}
