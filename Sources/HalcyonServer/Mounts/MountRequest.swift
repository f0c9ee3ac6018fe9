internal import HalcyonHTTP

/// A request to a mount, whose body may still be coming in.
struct MountRequest: Sendable {
    let mount: Mount
    /// As it was sent: any token.
    let method: String
    let rawTarget: [UInt8]
    let fields: HTTPFields
    /// Numeric address of the peer; empty if it has none.
    let client: String
    let isTLS: Bool
    let isHTTP10: Bool
    let body: BytePipe?
    /// In bytes; `nil` if the body comes in chunks.
    var bodyLength: Int?
    /// The client waits for a word before it sends the body.
    let expectsContinue: Bool
    /// Takes an interim answer as it goes over the wire; `nil` where the client cannot be sent one.
    let sendInterim: (@Sendable ([UInt8]) -> Void)?
    /// Tells a client that waits to send its body.
    let proceed: @Sendable () -> Void
}
