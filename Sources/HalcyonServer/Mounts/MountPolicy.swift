internal import HalcyonHTTP

/// What the operator changes for one mount. The defaults keep to the standard.
package struct MountPolicy: Sendable, Hashable {
    package enum Defaults {
        package static let maximumObjectBytes = 10 << 20
    }

    /// Seconds of freshness instead of what the origin says, for what may be stored and has a status of those that may be kept
    /// unless something else is said (RFC 9110 §15.1): the error of a moment is not kept for longer than it says.
    package var expiry: Int?
    /// Items of the query that are no part of the key. The origin sees them all the same.
    package var ignoredQueryItems: Set<String> = []
    /// Answers that set cookies are not stored.
    package var refusesCookies = false
    /// Larger answers are passed on and not stored; bytes.
    package var maximumObjectBytes = Defaults.maximumObjectBytes
    /// Whoever reaches the port may use the mount, without a token of Halcyon's; credentials are the origin's affair then.
    package var isPublic = false

    package init() {}

    var rules: SharedCachePolicy {
        var rules = SharedCachePolicy()
        rules.expiry = expiry
        rules.refusesCookies = refusesCookies
        return rules
    }
}
