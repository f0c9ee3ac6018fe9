/// How the body of a request is taken in.
enum BodyPolicy: Sendable, Hashable {
    /// In memory; `nil` for the listener's limit.
    case memory(limit: Int? = nil)
    /// In a private temporary file, of at most so many bytes.
    case file(limit: Int)
}
