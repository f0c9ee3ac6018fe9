/// A set of ASCII characters that is asked with one shift and one mask.
struct ByteSet {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init(_ members: String) {
        for byte in members.utf8 {
            if byte < 64 { low |= 1 << UInt64(byte) } else if byte < 128 { high |= 1 << UInt64(byte - 64) }
        }
    }

    func contains(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<64: low & 1 << UInt64(byte) != 0
        case 64..<128: high & 1 << UInt64(byte - 64) != 0
        default: false
        }
    }
}
