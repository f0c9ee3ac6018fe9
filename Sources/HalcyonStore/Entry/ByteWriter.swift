/// Writes the binary forms of keys and trailers: big-endian numbers, texts with their length before them.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    mutating func byte(_ value: UInt8) { bytes.append(value) }

    mutating func integer(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func double(_ value: Double) { integer(value.bitPattern) }

    mutating func blob(_ value: some Collection<UInt8>) {
        integer(UInt32(value.count))
        bytes.append(contentsOf: value)
    }

    mutating func string(_ value: String) { blob(value.utf8) }

    mutating func optional<T>(_ value: T?, _ write: (inout ByteWriter, T) -> Void) {
        byte(value == nil ? 0 : 1)
        if let value { write(&self, value) }
    }
}
