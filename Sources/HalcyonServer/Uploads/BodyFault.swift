/// Why a body that was taken in, or was begun, is of no use.
package enum BodyFault: Error, Sendable, Hashable {
    case tooLarge
    /// The text names what is accepted.
    case malformed(String)
    /// It could not be written to a file.
    case noRoom
}

extension Problem {
    init(_ fault: BodyFault) {
        switch fault {
        case .tooLarge: self.init(413, .tooLarge, "the body is too large")
        case .malformed(let what): self.init(400, .wrongType, what)
        case .noRoom:
            self.init(
                503, .internal, "there is no room for the upload; try again later", fields: [("Retry-After", "60")])
        }
    }
}
