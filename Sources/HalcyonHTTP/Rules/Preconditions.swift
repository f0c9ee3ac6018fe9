#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Conditional requests (RFC 9110 §13), answered as the server that has the last word on the representation.
package enum Preconditions {
    package enum Outcome: Sendable, Hashable {
        case proceed
        /// 304
        case notModified
        /// 412
        case failed
    }

    /// Evaluates in the order of RFC 9110 §13.2.2. To be asked only when the answer without conditions would be a 2xx
    /// (§13.2.1).
    ///
    /// - Parameters:
    ///   - entityTag: `nil` if the representation has none; then no tag matches it.
    ///   - lastModified: `nil` if not known; then conditions on dates are ignored. Fractions of a second do not count.
    ///   - exists: whether there is a representation now, which is what `*` asks.
    package static func evaluate(
        method: String, fields: HTTPFields, entityTag: EntityTag?, lastModified: Date?, now: Date, exists: Bool = true
    ) -> Outcome {
        // Methods that neither select nor change a representation (§13.2.1).
        if ["CONNECT", "OPTIONS", "TRACE"].contains(method) { return .proceed }
        let isRead = method == "GET" || method == "HEAD"

        if let value = fields["If-Match"] {
            let holds = matches(value, exists: exists) { tag in entityTag?.strongEquals(tag) ?? false }
            if !holds { return .failed }
        } else if let limit = date("If-Unmodified-Since", fields, now: now), let lastModified {
            if lastModified.wholeSeconds > limit.wholeSeconds { return .failed }
        }

        if let value = fields["If-None-Match"] {
            let isKnown = matches(value, exists: exists) { tag in entityTag?.weakEquals(tag) ?? false }
            if isKnown { return isRead ? .notModified : .failed }
        } else if isRead, let since = date("If-Modified-Since", fields, now: now), let lastModified {
            if lastModified.wholeSeconds <= since.wholeSeconds { return .notModified }
        }
        return .proceed
    }

    /// Whether `Range` is to be looked at: without `If-Range` always, with it only if the client's part is of this very
    /// representation (RFC 9110 §13.1.5). A date must be the exact one, and more than a second old, for otherwise the
    /// representation may have changed twice within it (§8.8.2.2).
    package static func rangeApplies(
        fields: HTTPFields, entityTag: EntityTag?, lastModified: Date?, now: Date
    ) -> Bool {
        guard let value = fields["If-Range"] else { return true }
        if let tag = EntityTag(value) { return entityTag?.strongEquals(tag) ?? false }
        guard let date = HTTPDate.parse(value, now: now), let lastModified else { return false }
        return lastModified.wholeSeconds == date.wholeSeconds && now.timeIntervalSince(lastModified) > 1
    }

    /// What of a representation of `length` bytes a request that passed `evaluate` asks for. `Range` counts with GET
    /// alone (RFC 9110 §14.2).
    package static func range(
        method: String, fields: HTTPFields, length: Int, entityTag: EntityTag?, lastModified: Date?, now: Date
    ) -> ByteRange.Outcome {
        guard method == "GET", let range = fields["Range"],
            rangeApplies(fields: fields, entityTag: entityTag, lastModified: lastModified, now: now)
        else { return .whole }
        return ByteRange.resolve(range, length: length)
    }

    private static func matches(_ value: String, exists: Bool, isMatch: (EntityTag) -> Bool) -> Bool {
        guard exists else { return false }
        return value == "*" || EntityTag.list(value).contains(where: isMatch)
    }

    /// A date that cannot be read, or comes more than once, is ignored (RFC 9110 §13.1.3, §13.1.4).
    private static func date(_ name: String, _ fields: HTTPFields, now: Date) -> Date? {
        fields[name].flatMap { HTTPDate.parse($0, now: now) }
    }
}

extension Date {
    /// What an HTTP date can express of it.
    fileprivate var wholeSeconds: Double { timeIntervalSince1970.rounded(.down) }
}
