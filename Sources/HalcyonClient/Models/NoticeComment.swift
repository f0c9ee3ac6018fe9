/// What somebody said about a notice.
public struct NoticeComment: Sendable, Hashable, Decodable, Identifiable {
    public let id: String
    public let author: NoticeAuthor
    /// ISO 8601.
    public let createDate: String
    public let content: String
}

/// What is sent of a comment; an edit changes the text alone.
public struct NoticeCommentDraft: Sendable, Hashable, Encodable {
    public var author: NoticeAuthor?
    public var content: String

    public init(author: NoticeAuthor? = nil, content: String) {
        self.author = author
        self.content = content
    }
}
