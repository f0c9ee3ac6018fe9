internal import CSodium

/// Takes the same time wherever the first difference is. Lengths are not secret: unequal ones answer at once.
package func constantTimeEquals(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    guard a.count == b.count else { return false }
    Sodium.initialize()
    return sodium_memcmp(a, b, a.count) == 0
}
