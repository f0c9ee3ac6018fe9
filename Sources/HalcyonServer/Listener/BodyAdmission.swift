/// What becomes of a body that a header announces.
enum BodyAdmission: Sendable {
    /// Answered at once, before the body is sent; the connection is closed.
    case refuse(HTTPAnswer)
    /// `nil` for the listener's limit, in bytes.
    case memory(limit: Int?)
    case file(limit: Int)
}
