internal import CSodium

/// BLAKE2b-256 (RFC 7693 with a digest of 32 bytes, no key).
package struct Digest: Sendable, Hashable {
    package static let byteCount = 32

    package let bytes: [UInt8]

    /// `nil` unless `bytes` holds 32 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// The digest of the parts joined together.
    package init(of parts: UnsafeRawBufferPointer...) {
        Sodium.initialize()
        var output = [UInt8](repeating: 0, count: Self.byteCount)
        // The state is an opaque type to Swift; libsodium asks for 64-byte alignment.
        withUnsafeTemporaryAllocation(byteCount: crypto_generichash_statebytes(), alignment: 64) { memory in
            guard let state = memory.baseAddress.map(OpaquePointer.init) else {
                preconditionFailure("an allocation of a known, positive size has an address")
            }
            crypto_generichash_init(state, nil, 0, Self.byteCount)
            for part in parts {
                part.withMemoryRebound(to: UInt8.self) { bytes in
                    _ = crypto_generichash_update(state, bytes.baseAddress, UInt64(bytes.count))
                }
            }
            crypto_generichash_final(state, &output, Self.byteCount)
        }
        self.bytes = output
    }

    package init(of bytes: [UInt8]) {
        Sodium.initialize()
        var output = [UInt8](repeating: 0, count: Self.byteCount)
        // In one call, which needs no state of its own on the heap.
        crypto_generichash(&output, Self.byteCount, bytes, UInt64(bytes.count), nil, 0)
        self.bytes = output
    }

    /// 64 lower-case hexadecimal digits.
    package var hex: String { Hex.encode(bytes) }
}
