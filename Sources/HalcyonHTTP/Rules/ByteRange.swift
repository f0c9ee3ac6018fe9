/// The `Range` of a request (RFC 9110 §14.1.2, §14.2). One range of bytes is honoured; for several the whole is sent,
/// which §14.2 allows and which no request can use to multiply work.
package enum ByteRange {
    package enum Outcome: Sendable, Hashable {
        /// 200 with everything: no range, several, another unit, or not to be understood.
        case whole
        /// 206; never empty and always within the length.
        case partial(Range<Int>)
        /// 416
        case unsatisfiable
    }

    /// - Parameters:
    ///   - rangeField: the value of `Range`, `nil` if there is none.
    ///   - length: bytes of the representation. Of 0 bytes a suffix is the whole; any other range is unsatisfiable.
    package static func resolve(_ rangeField: String?, length: Int) -> Outcome {
        guard let rangeField, let equals = rangeField.utf8.firstIndex(of: UInt8(ascii: "=")),
            ASCII.matches(rangeField.utf8[..<equals], "bytes".utf8)
        else { return .whole }
        let specs = rangeField[equals...].dropFirst().split(separator: ",").map(ASCII.trimmed).filter { !$0.isEmpty }
        guard specs.count == 1, let spec = specs.first?.utf8, let dash = spec.firstIndex(of: UInt8(ascii: "-"))
        else { return .whole }
        let before = spec[..<dash]
        let after = spec[dash...].dropFirst()

        if before.isEmpty {
            guard let count = ASCII.number(after, cappedAt: .max) else { return .whole }
            if count == 0 { return .unsatisfiable }
            return length > 0 ? .partial(max(0, length - count)..<length) : .whole
        }
        guard let first = ASCII.number(before, cappedAt: .max) else { return .whole }
        let last = after.isEmpty ? Int.max : ASCII.number(after, cappedAt: .max)
        guard let last, first <= last else { return .whole }
        return first < length ? .partial(first..<min(last, length - 1) + 1) : .unsatisfiable
    }
}
