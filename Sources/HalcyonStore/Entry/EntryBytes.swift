/// Bytes that never change and never move, so that a prepared answer may point into them for as long as it holds them.
package final class EntryBytes: @unchecked Sendable {
    // Guard: written in `init` alone; afterwards read-only until the last reference goes.
    private let memory: UnsafeMutableRawPointer

    package let count: Int

    package init(copying bytes: UnsafeRawBufferPointer) {
        count = bytes.count
        memory = .allocate(byteCount: max(1, count), alignment: 16)
        if let start = bytes.baseAddress { memory.copyMemory(from: start, byteCount: count) }
    }

    package init(copying bytes: [UInt8]) {
        count = bytes.count
        let memory = UnsafeMutableRawPointer.allocate(byteCount: max(1, count), alignment: 16)
        bytes.withUnsafeBytes { if let start = $0.baseAddress { memory.copyMemory(from: start, byteCount: $0.count) } }
        self.memory = memory
    }

    /// Room for `count` bytes that `fill` writes; `nil` if `fill` says it could not.
    init?(count: Int, fill: (UnsafeMutableRawBufferPointer) -> Bool) {
        self.count = count
        memory = .allocate(byteCount: max(1, count), alignment: 16)
        guard fill(UnsafeMutableRawBufferPointer(start: memory, count: count)) else { return nil }
    }

    deinit { memory.deallocate() }

    /// Valid for the object's life.
    package var pointer: UnsafeRawPointer { UnsafeRawPointer(memory) }

    package var array: [UInt8] { withUnsafeBytes { Array($0) } }

    package func withUnsafeBytes<T, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> T) throws(E) -> T {
        try body(UnsafeRawBufferPointer(start: memory, count: count))
    }
}
