internal import CCurl

/// How the process's allocator treats the memory of bodies.
package enum FetchMemory {
    /// Bodies come and go by the thousand. By default malloc gives memory back to the kernel and asks for it again with
    /// nearly each of them, which is a fifth of the fetching thread's time. Changes the whole process: for a program that
    /// owns it, at its start.
    package static func keepFreed() {
        mallopt(M_TRIM_THRESHOLD, 16 << 20)
        mallopt(M_TOP_PAD, 1 << 20)
    }
}
