/// What becomes of a body that a header announces.
enum BodyAdmission: Sendable {
    /// Answered at once, before the body is sent; the connection is closed.
    case refuse(HTTPAnswer)
    case take(BodyPolicy)
}
