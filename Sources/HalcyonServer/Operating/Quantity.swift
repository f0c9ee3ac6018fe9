/// Durations and sizes in the forms that options take.
enum Quantity {
    enum Fault: Error {
        /// It is none.
        case notOne
        /// It is one, beyond what can be meant.
        case tooLarge
    }

    /// `30d`, `12h`, `90m`, `45s`, `250ms`; whole numbers, up to a thousand years.
    static func seconds(_ text: String) throws(Fault) -> Double {
        let (number, unit) = try read(text, ["ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86_400])
        let seconds = number * unit
        guard seconds <= 31_536_000_000 else { throw .tooLarge }
        return seconds
    }

    /// `500MiB`, `2GiB`, `64KiB` or plain bytes.
    static func bytes(_ text: String) throws(Fault) -> Int {
        let (number, unit) = try read(text, ["": 1, "KiB": 0x1p10, "MiB": 0x1p20, "GiB": 0x1p30])
        guard let bytes = Int(exactly: number * unit) else { throw .tooLarge }
        return bytes
    }

    private static func read(_ text: String, _ units: [String: Double]) throws(Fault) -> (Double, Double) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Double(digits), let unit = units[String(text.dropFirst(digits.count))] else { throw .notOne }
        return (number, unit)
    }
}

extension Problem {
    init(_ fault: Quantity.Fault, _ field: String, accepted: String) {
        self =
            switch fault {
            case .notOne: .wrongType(field, accepted: accepted)
            case .tooLarge: .outOfRange(field, accepted: accepted)
            }
    }
}
