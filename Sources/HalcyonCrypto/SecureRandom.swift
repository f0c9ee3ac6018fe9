internal import CSodium

/// Bytes from the kernel's generator, fit for keys and tokens.
package enum SecureRandom {
    package static func bytes(_ count: Int) -> [UInt8] {
        Sodium.initialize()
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            if let address = buffer.baseAddress { randombytes_buf(address, count) }
            initializedCount = count
        }
    }
}
