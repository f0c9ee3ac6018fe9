/// Reads what ``ByteWriter`` wrote. Every read past the end is `nil`, so that cut or altered bytes are never trusted.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8? { rest.popFirst() }

    mutating func integer<T: FixedWidthInteger>(_: T.Type = T.self) -> T? {
        let size = T.bitWidth / 8
        guard rest.count >= size else { return nil }
        let value = rest.withUnsafeBytes { T(bigEndian: $0.loadUnaligned(as: T.self)) }
        rest.removeFirst(size)
        return value
    }

    mutating func double() -> Double? { integer(UInt64.self).map(Double.init(bitPattern:)) }

    mutating func blob() -> ArraySlice<UInt8>? {
        guard let count = integer(UInt32.self), rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }

    mutating func string() -> String? { blob().flatMap { String(validating: $0, as: UTF8.self) } }

    /// The outer `nil` means broken bytes, the inner one that nothing was written.
    mutating func optional<T>(_ read: (inout ByteReader) -> T?) -> T?? {
        switch byte() {
        case 0: .some(nil)
        case 1: read(&self).map { .some($0) }
        default: nil
        }
    }
}
