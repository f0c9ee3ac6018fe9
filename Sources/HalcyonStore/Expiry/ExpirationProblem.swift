/// Why a text is no expiration.
package enum ExpirationProblem: Error, Sendable, Hashable, CustomStringConvertible {
    case negative
    case unreadable

    package var description: String {
        switch self {
        case .negative: "a period may not be negative; 0 expires at once, `never` does not expire"
        case .unreadable:
            "accepted are a whole number with a unit (`500ms`, `300s`, `10m`, `12h`, `7d`), `0`, `never` and `origin`"
        }
    }
}
