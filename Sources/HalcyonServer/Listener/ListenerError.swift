internal import Glibc

package enum ListenerError: Error, Sendable, Hashable, CustomStringConvertible {
    case badAddress(String)
    case cannotListen(address: String, errno: Int32)
    /// The certificate or key cannot be read.
    case unreadable(path: String)
    /// libmicrohttpd refused to start: with TLS, most often a certificate that does not fit its key.
    case notStarted(String)
    case alreadyStarted
    /// Listening beyond loopback without users and without `--open`.
    case openToOthers(String)

    package var description: String {
        switch self {
        case .badAddress(let text):
            "--listen \(text): give HOST:PORT, where HOST is an IPv4 address, an IPv6 address in brackets or localhost"
        case .cannotListen(let address, let code):
            "cannot listen on \(address): \(String(cString: strerror(code)))"
        case .unreadable(let path): "cannot read \(path)"
        case .notStarted(let why): "the HTTP server did not start: \(why)"
        case .alreadyStarted: "the server has been started already"
        case .openToOthers(let address):
            "listening on \(address) would open pupils' photos to everyone who reaches it: add --open if that is meant, "
                + "or listen on 127.0.0.1"
        }
    }
}
