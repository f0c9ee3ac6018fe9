#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// `Retry-After` (RFC 9110 §10.2.3).
package enum RetryAfter {
    /// What the field says, if it is there once and can be read.
    package static func delay(in fields: HTTPFields, now: Date) -> Duration? {
        fields["Retry-After"].flatMap { delay($0, now: now) }
    }

    /// From `now`, in 0…2^31 seconds, whether the field gives seconds or a date; a date that has passed is 0. `nil` for
    /// anything else. The caller sets the bound that it is willing to wait.
    package static func delay(_ fieldValue: String, now: Date) -> Duration? {
        let value = ASCII.trimmed(fieldValue[...])
        let greatest = CacheControl.greatestSeconds
        if let seconds = ASCII.number(value.utf8, cappedAt: greatest) { return .seconds(seconds) }
        guard let date = HTTPDate.parse(String(value), now: now) else { return nil }
        return .seconds(min(max(0, date.timeIntervalSince(now)), Double(greatest)))
    }
}
