public import Foundation
internal import HalcyonStore

/// An image and where it came from.
public struct ImageResponse: Sendable {
    /// Where an answer came from.
    public enum Source: Sendable, Hashable {
        case memory
        case disk
        /// Fetched whole.
        case origin
        /// A variant that was made from a kept original.
        case rendered
        /// Given by the request's ``ImageDataProvider``.
        case provider
        /// The origin said that the kept copy still holds (304).
        case revalidated
        /// Past its expiry; fetching a newer one failed for this reason, or is under way.
        case stale(ImagePipeline.Error.Reason)
        /// ``ImageRequest/Options/placeholder``; the load failed for this reason.
        case placeholder(ImagePipeline.Error.Reason)
    }

    /// The origin's bytes, unchanged. Shares the cache's memory; nothing is copied.
    public let data: Data
    /// What the bytes are, whatever the origin called them.
    public let contentType: String
    /// 0 for a placeholder of the caller's.
    public let pixelWidth: Int
    public let pixelHeight: Int
    public let source: Source
    /// Seconds since the origin last vouched for the image (RFC 9111 §4.2.3).
    public let age: TimeInterval
    /// When the copy stops being fresh; `nil` for never.
    public let expiresAt: Date?
    /// Whether this load waited for one that another caller had begun.
    public let isShared: Bool

    init(_ loaded: LoadedEntry, now: Date) {
        let entry = loaded.entry
        self.data = entry.bytes.data
        self.contentType = entry.metadata.contentType
        self.pixelWidth = entry.metadata.pixelWidth
        self.pixelHeight = entry.metadata.pixelHeight
        self.source = loaded.source
        self.age = entry.age(at: now)
        self.expiresAt = entry.metadata.expiresAt
        self.isShared = loaded.isShared
    }

    init(_ placeholder: ImagePlaceholder, reason: ImagePipeline.Error.Reason) {
        self.data = Data(placeholder.bytes)
        self.contentType = placeholder.contentType
        self.pixelWidth = 0
        self.pixelHeight = 0
        self.source = .placeholder(reason)
        self.age = 0
        self.expiresAt = nil
        self.isShared = false
    }
}

extension EntryBytes {
    /// The bytes as `Data` over the same memory, which lives as long as the `Data` does.
    var data: Data {
        let owner = Unmanaged.passRetained(self)
        return Data(
            bytesNoCopy: UnsafeMutableRawPointer(mutating: pointer),
            count: count,
            deallocator: .custom { _, _ in owner.release() }
        )
    }
}
