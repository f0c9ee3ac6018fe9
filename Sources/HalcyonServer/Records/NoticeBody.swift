internal import HalcyonRecords

/// The fields of a notice that a client sends; others are left alone.
///
/// `null` takes away what a notice may be without, the content and the images; elsewhere it counts as not given.
struct NoticeBody: Decodable, Sendable {
    /// Twenty thousand characters, each escaped at its longest.
    static let limitBytes = 256 << 10

    static let properties: [JSONSchema.Property] = [
        .optional("content", .optional(.text(length: 0...20_000))),
        .optional("imageList", .optional(.list(.text(format: "uri"), count: 0...100))),
    ]

    var draft = NoticeDraft()

    private enum CodingKeys: CodingKey { case rootUser, title, content, createDate, imageList }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        draft.rootUser = try container.decodeIfPresent(NoticeAuthor.self, forKey: .rootUser)
        draft.title = try container.decodeIfPresent(String.self, forKey: .title)
        draft.createDate = try container.decodeIfPresent(String.self, forKey: .createDate)
        draft.content =
            try container.decodeIfPresent(String.self, forKey: .content)
            ?? (container.contains(.content) ? "" : nil)
        draft.imageList =
            try container.decodeIfPresent([String].self, forKey: .imageList)
            ?? (container.contains(.imageList) ? [] : nil)
    }
}
