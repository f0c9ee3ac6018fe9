#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// How long an entry stays fresh.
package enum Expiration: Sendable, Hashable {
    case never
    /// 0 is expired at once.
    case seconds(TimeInterval)
    /// Days of 86,400 s.
    case days(Int)
    case date(Date)
    case expired
    /// What the origin's header says; where it says nothing usable, ``defaultDisk``.
    case origin

    package static let defaultMemory = Expiration.seconds(300)
    package static let defaultDisk = Expiration.days(7)

    /// Lifetimes vary by this share, so that a class fetched together does not expire together.
    package static let jitter = 0.1

    /// Seconds of freshness from `start`; `nil` for never, never negative.
    ///
    /// `randomUnit` in 0…1 spreads the result by ±10 %, but never past a point in time that somebody named: an
    /// origin's lifetime is only shortened, a date stays as it is.
    package func lifetime(
        from start: Date, originLifetime: TimeInterval?, randomUnit: Double? = nil
    ) -> TimeInterval? {
        let spread = randomUnit.map { (min(max($0, 0), 1) * 2 - 1) * Self.jitter } ?? 0
        switch self {
        case .never: return nil
        case .expired: return 0
        case .seconds(let seconds): return max(0, seconds * (1 + spread))
        case .days(let days): return max(0, Double(days) * 86_400 * (1 + spread))
        case .date(let date): return max(0, date.timeIntervalSince(start))
        case .origin:
            guard let originLifetime else {
                return Self.defaultDisk.lifetime(from: start, originLifetime: nil, randomUnit: randomUnit)
            }
            return max(0, originLifetime * (1 - abs(spread)))
        }
    }

    /// The end of freshness; `nil` for never. `randomUnit` as in ``lifetime(from:originLifetime:randomUnit:)``.
    package func deadline(from start: Date, originLifetime: TimeInterval?, randomUnit: Double? = nil) -> Date? {
        if case .date(let date) = self { return max(start, date) }
        return lifetime(from: start, originLifetime: originLifetime, randomUnit: randomUnit).map { start + $0 }
    }

    /// Refuses negative periods, which mean nothing; call it where a value comes in from outside.
    package func validate() throws(ExpirationProblem) {
        switch self {
        case .seconds(let seconds) where !(seconds >= 0 && seconds.isFinite): throw .negative
        case .days(let days) where days < 0: throw .negative
        default: return
        }
    }
}

extension Expiration: CustomStringConvertible {
    /// Reads `never`, `origin`, `0`, or a whole number with a unit: `500ms`, `300s`, `10m`, `12h`, `7d`.
    package init(_ text: String) throws(ExpirationProblem) {
        switch text {
        case "never": self = .never
        case "origin": self = .origin
        case "0": self = .seconds(0)
        default:
            guard !text.hasPrefix("-") else { throw .negative }
            let digits = text.prefix { $0.isASCII && $0.isNumber }
            guard let number = Int(digits), number <= Self.largestNumber else { throw .unreadable }
            switch text.dropFirst(digits.count) {
            case "ms": self = .seconds(Double(number) / 1000)
            case "s": self = .seconds(Double(number))
            case "m": self = .seconds(Double(number) * 60)
            case "h": self = .seconds(Double(number) * 3_600)
            case "d": self = .days(number)
            default: throw .unreadable
            }
        }
    }

    /// Beyond this, dates would lose their meaning long before they overflow.
    private static let largestNumber = 1_000_000_000

    /// The form that ``init(_:)`` reads, where there is one.
    package var description: String {
        switch self {
        case .never: "never"
        case .origin: "origin"
        case .expired: "0"
        case .seconds(let seconds): Self.describe(seconds)
        case .days(let days): "\(days)d"
        case .date(let date): "\(date)"
        }
    }

    private static func describe(_ seconds: TimeInterval) -> String {
        if seconds == 0 { return "0" }
        if let whole = Int(exactly: seconds) { return "\(whole)s" }
        return Int(exactly: (seconds * 1000).rounded()).map { "\($0)ms" } ?? "\(seconds)"
    }
}
