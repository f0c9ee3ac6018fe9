public import Foundation
internal import HalcyonStore

/// How long an image is fresh.
public enum CacheExpiration: Sendable, Hashable {
    case never
    /// Zero is ``expired``; negative values are refused by the configuration.
    case seconds(TimeInterval)
    /// Days of 86,400 s.
    case days(Int)
    case date(Date)
    /// Not kept at all, and never shared between callers: each request goes to the origin.
    case expired
    /// What the origin's header fields say (RFC 9111 §4.2.1, as a shared cache), the default lifetime where they say nothing.
    case origin

    var stored: Expiration {
        switch self {
        case .never: .never
        case .seconds(let seconds): .seconds(seconds)
        case .days(let days): .days(days)
        case .date(let date): .date(date)
        case .expired: .expired
        case .origin: .origin
        }
    }

    /// Whether an image with this lifetime is good for its own request alone.
    var isUnkept: Bool {
        switch self {
        case .expired, .seconds(0), .days(0): true
        default: false
        }
    }
}

/// What a read does to an image's lifetime.
public enum CacheExtension: Sendable, Hashable {
    /// The lifetime runs from when the image was fetched: one that is looked at every day is still refreshed.
    case none
    /// Each read starts the original lifetime again.
    case cacheTime
    /// Each read sets this lifetime.
    case expirationTime(CacheExpiration)

    var stored: ExpirationExtension {
        switch self {
        case .none: .none
        case .cacheTime: .cacheTime
        case .expirationTime(let expiration): .expirationTime(expiration.stored)
        }
    }
}
