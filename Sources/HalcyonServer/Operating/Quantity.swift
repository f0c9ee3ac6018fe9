/// Durations and sizes in the forms that options take.
enum Quantity {
    /// `30d`, `12h`, `90m`, `45s`, `250ms`; whole numbers. `nil` for anything else, and above a thousand years.
    static func seconds(_ text: String) -> Double? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits), number <= 31_536_000_000 else { return nil }
        let units = ["ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let unit = units[String(text.dropFirst(digits.count))] else { return nil }
        let seconds = Double(number) * unit
        return seconds <= 31_536_000_000 ? seconds : nil
    }

    /// `500MiB`, `2GiB`, `64KiB` or plain bytes.
    static func bytes(_ text: String) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let units = ["": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30]
        guard let number = Int(digits), let unit = units[String(text.dropFirst(digits.count))] else { return nil }
        let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: unit)
        return isTooLarge ? nil : bytes
    }
}
