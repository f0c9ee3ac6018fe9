/// Sizes as people write them: `KiB`, `MiB`, `GiB`, or plain bytes.
enum ByteSize {
    static let accepted = "a size in bytes or with KiB, MiB or GiB, such as 256MiB"

    private static let units: [(suffix: String, factor: Int)] = [
        ("gib", 1 << 30), ("mib", 1 << 20), ("kib", 1 << 10), ("b", 1), ("", 1),
    ]

    /// `nil` for anything else: a sign, a fraction, `MB` (which means two different numbers), or more than fits.
    static func parse(_ text: some StringProtocol) -> Int? {
        let lowered = text.lowercased()
        for unit in units where lowered.hasSuffix(unit.suffix) {
            let digits = lowered.dropLast(unit.suffix.count)
            guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }), let count = Int(digits) else {
                continue
            }
            let (bytes, overflows) = count.multipliedReportingOverflow(by: unit.factor)
            return overflows ? nil : bytes
        }
        return nil
    }

    /// Exact, in the largest unit that divides the size: what `parse` reads back as the same number.
    static func exact(_ bytes: Int) -> String {
        for (name, factor) in [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
        where bytes != 0 && bytes.isMultiple(of: factor) {
            return "\(bytes / factor)\(name)"
        }
        return String(bytes)
    }

    /// Rounded for the eye: `24.0 KiB`.
    static func rounded(_ bytes: Int) -> String {
        for (name, factor) in [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)] where bytes >= factor {
            return "\(Decimal.oneDigit(Double(bytes) / Double(factor))) \(name)"
        }
        return "\(bytes) B"
    }
}
