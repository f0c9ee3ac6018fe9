package import HalcyonCrypto

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// What is known of an entry besides its bytes.
package struct EntryMetadata: Sendable, Hashable {
    /// What the bytes are, not what the origin called them.
    package var contentType: String
    package var pixelWidth: Int
    package var pixelHeight: Int
    /// The origin's host, for purges and statistics.
    package var host: String
    /// What else the entry can be purged by: `student:202110107`, `class:1-1`.
    package var tags: [String]
    package var originEntityTag: String?
    package var originLastModified: String?
    package var storedAt: Date
    /// RFC 9111 §4.2.3 corrected_initial_age, in seconds.
    package var ageAtStore: TimeInterval
    /// The end of freshness; `nil` never comes.
    package var expiresAt: Date?
    /// What ``expiresAt`` was made from, in seconds; `nil` for never.
    package var lifetime: TimeInterval?
    package var mayServeStale: Bool
    /// Until when the entry is worth keeping past its freshness; `nil` keeps it no longer than that.
    package var staleIfErrorUntil: Date?
    /// BLAKE2b-256 of the body.
    package var digest: Digest
    /// Length of the body.
    package var byteCount: Int
    /// Of a variant: the digest of the original that it was made from.
    package var sourceDigest: Digest?
    /// Of a response that is passed on as it came: its header and what else is needed to use it again, in a form that is
    /// not looked into here.
    package var responseHead: [UInt8]?

    package init(
        contentType: String, pixelWidth: Int = 0, pixelHeight: Int = 0, host: String = "", tags: [String] = [],
        originEntityTag: String? = nil, originLastModified: String? = nil, storedAt: Date,
        ageAtStore: TimeInterval = 0, expiresAt: Date?, lifetime: TimeInterval? = nil, mayServeStale: Bool = true,
        staleIfErrorUntil: Date? = nil, digest: Digest, byteCount: Int, sourceDigest: Digest? = nil,
        responseHead: [UInt8]? = nil
    ) {
        self.contentType = contentType
        self.pixelWidth = pixelWidth
        self.pixelHeight = pixelHeight
        self.host = host
        self.tags = tags
        self.originEntityTag = originEntityTag
        self.originLastModified = originLastModified
        self.storedAt = storedAt
        self.ageAtStore = ageAtStore
        self.expiresAt = expiresAt
        self.lifetime = lifetime
        self.mayServeStale = mayServeStale
        self.staleIfErrorUntil = staleIfErrorUntil
        self.digest = digest
        self.byteCount = byteCount
        self.sourceDigest = sourceDigest
        self.responseHead = responseHead
    }

    package func isFresh(at now: Date) -> Bool { expiresAt.map { now < $0 } ?? true }

    /// RFC 9111 §4.2.3 current_age, in seconds; a clock that went back makes nothing younger than it was stored.
    package func age(at now: Date) -> TimeInterval { ageAtStore + max(0, now.timeIntervalSince(storedAt)) }

    /// When a sweep may drop the entry; `nil` for never.
    var removableAt: Date? { expiresAt.map { max($0, staleIfErrorUntil ?? $0) } }

    /// Times from the future (the clock was put back, or was wrong when they were written) are brought back to `now`,
    /// with no more than the lifetime they were given; `nil` if there is nothing to mend.
    func clamped(to now: Date) -> EntryMetadata? {
        guard storedAt > now else { return nil }
        let step = storedAt.timeIntervalSince(now)
        var copy = self
        copy.storedAt = now
        copy.expiresAt = expiresAt.map { max(now, $0 - step) }
        copy.staleIfErrorUntil = staleIfErrorUntil.map { max(now, $0 - step) }
        return copy
    }
}
