internal import Glibc

/// Bytes whose lengths and offsets nobody vouches for. Every read is checked; one beyond the end means `truncated`.
///
/// Sums of offsets cannot overflow as long as what is added has at most 32 bits; a 64-bit length is compared with what
/// remains before it is added.
struct ByteView {
    private let bytes: UnsafeRawBufferPointer
    let count: Int

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        count = bytes.count
    }

    /// - Throws: `truncated` unless `length` bytes from `offset` are there.
    func require(_ length: Int, at offset: Int) throws(ImageError) {
        guard offset >= 0, length >= 0, offset <= count, length <= count - offset else { throw .truncated }
    }

    func slice(at offset: Int, length: Int) throws(ImageError) -> ByteView {
        try require(length, at: offset)
        return ByteView(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length]))
    }

    func byte(_ offset: Int) throws(ImageError) -> Int {
        guard offset >= 0, offset < count else { throw .truncated }
        return Int(bytes[offset])
    }

    func big16(_ offset: Int) throws(ImageError) -> Int {
        Int(UInt16(bigEndian: try load(offset)))
    }

    func big32(_ offset: Int) throws(ImageError) -> Int {
        Int(UInt32(bigEndian: try load(offset)))
    }

    /// What does not fit becomes `Int.max`, which is beyond the end of any file.
    func big64(_ offset: Int) throws(ImageError) -> Int {
        Int(clamping: UInt64(bigEndian: try load(offset)))
    }

    func little16(_ offset: Int) throws(ImageError) -> Int {
        Int(UInt16(littleEndian: try load(offset)))
    }

    func little24(_ offset: Int) throws(ImageError) -> Int {
        try little16(offset) | byte(offset + 2) << 16
    }

    func little32(_ offset: Int) throws(ImageError) -> Int {
        Int(UInt32(littleEndian: try load(offset)))
    }

    private func load<Value: FixedWidthInteger & BitwiseCopyable>(_ offset: Int) throws(ImageError) -> Value {
        try require(MemoryLayout<Value>.size, at: offset)
        return bytes.loadUnaligned(fromByteOffset: offset, as: Value.self)
    }

    /// Whether `text`, in ASCII, stands at `offset`; false also where the bytes end.
    func has(_ text: StaticString, at offset: Int = 0) -> Bool {
        let length = text.utf8CodeUnitCount
        guard offset >= 0, offset <= count, length <= count - offset, let address = bytes.baseAddress else {
            return false
        }
        return memcmp(address + offset, text.utf8Start, length) == 0
    }

    /// `nil` beyond the end.
    subscript(_ offset: Int) -> UInt8? { offset >= 0 && offset < count ? bytes[offset] : nil }

    func isZero(at offset: Int) -> Bool { self[offset] == 0 }

    /// As `has`, for signatures that are not ASCII.
    func isBig16(_ value: UInt16, at offset: Int) -> Bool { stands(value.bigEndian, at: offset) }

    func isBig32(_ value: UInt32, at offset: Int) -> Bool { stands(value.bigEndian, at: offset) }

    private func stands<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value, at offset: Int) -> Bool {
        guard offset >= 0, offset <= count, MemoryLayout<Value>.size <= count - offset else { return false }
        return bytes.loadUnaligned(fromByteOffset: offset, as: Value.self) == value
    }

    /// The first place at or after `offset` where `byte` stands.
    func firstIndex(of byte: UInt8, from offset: Int) -> Int? {
        guard offset >= 0, offset < count, let address = bytes.baseAddress else { return nil }
        guard let found = memchr(address + offset, Int32(byte), count - offset) else { return nil }
        return UnsafeRawPointer(found) - address
    }
}
