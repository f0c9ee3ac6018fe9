/// What becomes of a body that a header announces.
enum BodyAdmission: Sendable {
    /// Answered at once, before the body is sent; the connection is closed.
    case refuse(HTTPAnswer)
    /// - Parameter envelope: of a refusal, should the body turn out to be too large.
    case take(BodyPolicy, envelope: AnswerEnvelope = .records)
}
