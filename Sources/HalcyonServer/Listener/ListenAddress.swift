internal import CMicroHTTPD
internal import Glibc

/// Where the service listens: `HOST:PORT`. HOST is an IPv4 literal, an IPv6 literal in brackets or `localhost`;
/// port 0 lets the system choose, and the listener then tells which it was.
package struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
    package let host: String
    package let port: UInt16
    let isIPv6: Bool

    /// Loopback is 127.0.0.0/8 and ::1 (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3).
    package let isLoopback: Bool

    package init(_ text: String) throws(ListenerError) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw .badAddress(text)
        }
        var host = String(text[..<colon])
        if host == "localhost" { host = "127.0.0.1" }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        if isBracketed { host = String(host.dropFirst().dropLast()) }
        var v4 = in_addr()
        var v6 = in6_addr()
        if !isBracketed, inet_pton(AF_INET, host, &v4) == 1 {
            isIPv6 = false
            isLoopback = UInt32(bigEndian: v4.s_addr) >> 24 == 127
        } else if isBracketed, inet_pton(AF_INET6, host, &v6) == 1 {
            isIPv6 = true
            isLoopback = withUnsafeBytes(of: v6) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
        } else {
            throw .badAddress(text)
        }
        self.host = host
        self.port = port
    }

    private init(host: String, port: UInt16, isIPv6: Bool, isLoopback: Bool) {
        self.host = host
        self.port = port
        self.isIPv6 = isIPv6
        self.isLoopback = isLoopback
    }

    package var description: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// A bound, listening, non-blocking socket and the address it has. The caller owns the socket.
    /// `[::]` also takes IPv4 connections.
    func listen(backlog: Int32 = 1024) throws(ListenerError) -> (socket: Int32, bound: ListenAddress) {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, type, 0)
        guard descriptor >= 0 else { throw .cannotListen(address: description, errno: errno) }
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        var storage = sockaddr_storage()
        let length = fill(&storage)
        let outcome = withUnsafePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && Glibc.listen(descriptor, backlog) == 0
            }
        }
        guard outcome else {
            let code = errno
            close(descriptor)
            throw .cannotListen(address: description, errno: code)
        }
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let port = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(descriptor, $0, &size) }
            // The port lies at the same place in both families.
            return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                UInt16(bigEndian: $0.pointee.sin_port)
            }
        }
        return (descriptor, ListenAddress(host: host, port: port, isIPv6: isIPv6, isLoopback: isLoopback))
    }

    private func fill(_ storage: inout sockaddr_storage) -> socklen_t {
        withUnsafeMutablePointer(to: &storage) { pointer in
            if isIPv6 {
                pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                    address.pointee.sin6_family = sa_family_t(AF_INET6)
                    address.pointee.sin6_port = port.bigEndian
                    inet_pton(AF_INET6, host, &address.pointee.sin6_addr)
                }
                return socklen_t(MemoryLayout<sockaddr_in6>.size)
            }
            pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
                address.pointee.sin_family = sa_family_t(AF_INET)
                address.pointee.sin_port = port.bigEndian
                inet_pton(AF_INET, host, &address.pointee.sin_addr)
            }
            return socklen_t(MemoryLayout<sockaddr_in>.size)
        }
    }
}
