/// What a read does to an entry's expiry.
package enum ExpirationExtension: Sendable, Hashable {
    /// Nothing: a photo that is looked at every day must still be refreshed.
    case none
    /// The original lifetime begins anew.
    case cacheTime
    /// A lifetime of its own begins.
    case expirationTime(Expiration)
}
