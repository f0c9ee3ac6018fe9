public import Foundation

/// A photo, or another answer that is no JSON.
public struct ReceivedBytes: Sendable, Hashable {
    public let bytes: Data
    public let contentType: String?
    public let entityTag: String?
    /// Why these bytes are the placeholder: `no-photo` or `unavailable`; `nil` for the photo itself.
    public let placeholder: String?
}

/// For answers whose value nobody needs.
public struct NoContent: Sendable, Hashable, Decodable {
    public init() {}

    public init(from decoder: any Decoder) throws {}
}

/// A part of a list.
public struct Page<Item: Sendable>: Sendable {
    public let items: [Item]
    /// Given as `after`, begins the next page; `nil` on the last.
    public let next: String?
}

extension Page: Equatable where Item: Equatable {}
