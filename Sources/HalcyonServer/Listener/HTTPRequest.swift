package import HalcyonHTTP
package import HalcyonRecords

/// A whole request, for routes that run as a task.
package struct HTTPRequest: Sendable {
    package var method: String
    package var target: RequestTarget
    /// As it was sent.
    package var rawTarget: [UInt8]
    package var fields: HTTPFields
    package var body: [UInt8]
    /// Numeric address of the peer, for rate limits; empty if it has none.
    package var client: String
    /// Set if the body is of no use and was thrown away.
    package var bodyFault: BodyFault?
    /// The body of a route that takes files; `body` is then empty.
    package var upload: Upload?
    /// Who asks; `nil` if nobody is signed in. Set by the router.
    package var user: User?
    /// The fields that the body may have, if the route names them. Set by the router.
    var acceptedFields: [JSONSchema.Property]?

    package var isHead: Bool { method == "HEAD" }
}
