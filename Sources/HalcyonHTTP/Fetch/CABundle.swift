internal import CCurl
internal import Glibc

/// The system's certificates and those of a file, together in one file in memory: libcurl reads one file, and keeps what
/// it has parsed between connections only if there is no certificate folder beside it.
final class CABundle {
    let path: String
    private let descriptor: Int32

    /// - Parameter file: PEM certificates to add; `nil` adds none.
    init?(adding file: String?) throws(FetchError) {
        guard let system = halcyon_curl_ca_file() else {
            // This libcurl has no bundle of its own; it uses what it finds.
            if file != nil { throw .setup(Int(ENOENT)) }
            return nil
        }
        guard let file else {
            path = String(cString: system)
            descriptor = -1
            return
        }
        descriptor = halcyon_memory_file("halcyon-ca")
        guard descriptor >= 0 else { throw .setup(Int(errno)) }
        path = "/proc/self/fd/\(descriptor)"
        try append(String(cString: system))
        try append(file)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    private func append(_ file: String) throws(FetchError) {
        let source = open(file, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw .setup(Int(errno)) }
        defer { close(source) }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(source, &buffer, buffer.count)
            if count == 0 { break }
            guard count > 0, write(descriptor, buffer, count) == count else { throw .setup(Int(errno)) }
        }
        guard write(descriptor, "\n", 1) == 1 else { throw .setup(Int(errno)) }
    }
}
