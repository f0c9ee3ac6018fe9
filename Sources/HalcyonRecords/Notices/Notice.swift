/// A notice on a club's board.
package struct Notice: Sendable, Hashable {
    /// Orders as the notices were made.
    package let id: String
    package let clubID: String
    package let rootUser: NoticeAuthor
    /// ISO 8601, as it was given.
    package let createDate: String
    package let title: String
    package let content: String
    package let imageList: [String]
    package let commentCount: Int
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
