/// Joins fields so that no two different lists give the same bytes, unlike plain concatenation
/// (`["ab", "c"]` and `["a", "bc"]`).
package enum LengthDelimited {
    /// Each field is its length as 32 bits, most significant byte first, then its bytes.
    package static func encode(_ fields: [[UInt8]]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(fields.reduce(0) { $0 + $1.count + 4 })
        for field in fields {
            let length = UInt32(field.count)
            for shift in stride(from: UInt32(24), through: 0, by: -8) {
                output.append(UInt8(truncatingIfNeeded: length >> shift))
            }
            output += field
        }
        return output
    }
}
