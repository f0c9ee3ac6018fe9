internal import Halcyon

/// How long a copy is fresh, in words.
enum ExpiryText {
    static func accepted(allowsOrigin: Bool) -> String {
        "\(DurationText.accepted), 0 (expired at once)\(allowsOrigin ? ", never, or origin (what its headers say)" : ", or never")"
    }

    static func parse(_ text: String, allowsOrigin: Bool) -> CacheExpiration? {
        switch text {
        case "never": .never
        case "origin": allowsOrigin ? .origin : nil
        default: DurationText.parse(text).map { .seconds($0.inSeconds) }
        }
    }

    /// What `parse` reads back with the same meaning.
    static func exact(_ expiration: CacheExpiration) -> String {
        switch expiration {
        case .never: "never"
        case .origin: "origin"
        case .expired: "0"
        case .days(let days): "\(days)d"
        case .seconds(let seconds): DurationText.exact(.milliseconds(Int(seconds * 1000)))
        case .date(let date): "\(date)"  // No option gives a date.
        }
    }
}
