/// Numbers for the eye, without a formatter.
enum Decimal {
    /// One digit after the point, rounded half away from zero.
    static func oneDigit(_ value: Double) -> String {
        guard value.isFinite, value.magnitude < 1e15 else { return "-" }
        let tenths = Int((value * 10).rounded())
        return "\(tenths < 0 ? "-" : "")\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
    }
}
