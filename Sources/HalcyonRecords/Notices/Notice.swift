/// A notice on a club's board.
package struct Notice: Sendable, Hashable {
    /// Orders as the notices were made.
    package let id: String
    package let clubID: String
    package let rootUser: NoticeAuthor
    /// As it was given: ISO 8601, unless it was put into the tree.
    package let createDate: String
    package let title: String
    package let content: String
    /// URLs, and `media:NAME` for uploaded images.
    package var imageList: [String]
    package let commentCount: Int

    private static let mediaPrefix = "media:"

    package static func image(_ media: MediaID) -> String { mediaPrefix + media.description }

    /// Which uploaded image an element of ``imageList`` is; `nil` for a URL.
    package static func media(of image: String) -> MediaID? {
        image.hasPrefix(mediaPrefix) ? MediaID(String(image.dropFirst(mediaPrefix.count))) : nil
    }

    /// What the journal says of this notice in place of the old one: nothing if they are the same.
    func changes(from old: Notice?) -> [RecordChange] {
        guard let old else { return [RecordChange(.noticeBoards, .created, record: id, scope: clubID)] }
        let fields = [
            ("rootUser", old.rootUser != rootUser), ("createDate", old.createDate != createDate),
            ("title", old.title != title), ("content", old.content != content),
            ("imageList", old.imageList != imageList),
        ].filter(\.1).map(\.0)
        return fields.isEmpty
            ? [] : [RecordChange(.noticeBoards, .changed, record: id, scope: clubID, fields: fields)]
    }
}

extension Notice: Encodable {
    private enum CodingKeys: CodingKey {
        case id, clubID, rootUser, createDate, title, content, imageList, commentCount
    }

    /// `commentCount` is a text of digits.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(clubID, forKey: .clubID)
        try container.encode(rootUser, forKey: .rootUser)
        try container.encode(createDate, forKey: .createDate)
        try container.encode(title, forKey: .title)
        try container.encode(content, forKey: .content)
        try container.encode(imageList, forKey: .imageList)
        try container.encode(String(commentCount), forKey: .commentCount)
    }
}
