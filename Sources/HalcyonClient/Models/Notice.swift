/// Who wrote a notice or a comment, as it tells it.
public struct NoticeAuthor: Sendable, Hashable, Codable {
    public let id: String
    public let nickName: String
    public let profileImageURL: String?
    public let description: String?

    public init(id: String, nickName: String, profileImageURL: String? = nil, description: String? = nil) {
        self.id = id
        self.nickName = nickName
        self.profileImageURL = profileImageURL
        self.description = description
    }

    private enum CodingKeys: CodingKey { case id, nickName, profileImageURL, profileImage, description }

    /// The photo stands under either name.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        nickName = try container.decode(String.self, forKey: .nickName)
        profileImageURL =
            try container.decodeIfPresent(String.self, forKey: .profileImageURL)
            ?? container.decodeIfPresent(String.self, forKey: .profileImage)
        description = try container.decodeIfPresent(String.self, forKey: .description)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(nickName, forKey: .nickName)
        try container.encodeIfPresent(profileImageURL, forKey: .profileImageURL)
        try container.encodeIfPresent(profileImageURL, forKey: .profileImage)
        try container.encodeIfPresent(description, forKey: .description)
    }
}

/// A notice on a club's board.
public struct Notice: Sendable, Hashable, Codable, Identifiable {
    /// Orders as the notices were made.
    public let id: String
    public let clubID: String
    public let rootUser: NoticeAuthor
    /// ISO 8601, as it was given.
    public let createDate: String
    public let title: String
    public let content: String
    public let imageList: [String]
    /// A text of digits on the wire.
    public let commentCount: Int

    private enum CodingKeys: CodingKey {
        case id, clubID, rootUser, createDate, title, content, imageList, commentCount
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        clubID = try container.decode(String.self, forKey: .clubID)
        rootUser = try container.decode(NoticeAuthor.self, forKey: .rootUser)
        createDate = try container.decode(String.self, forKey: .createDate)
        title = try container.decode(String.self, forKey: .title)
        content = try container.decode(String.self, forKey: .content)
        imageList = try container.decodeIfPresent([String].self, forKey: .imageList) ?? []
        let count = try container.decode(String.self, forKey: .commentCount)
        guard let number = Int(count) else {
            throw DecodingError.dataCorruptedError(
                forKey: .commentCount, in: container, debugDescription: "a text of digits is expected")
        }
        commentCount = number
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(clubID, forKey: .clubID)
        try container.encode(rootUser, forKey: .rootUser)
        try container.encode(createDate, forKey: .createDate)
        try container.encode(title, forKey: .title)
        try container.encode(content, forKey: .content)
        try container.encode(imageList, forKey: .imageList)
        try container.encode("\(commentCount)", forKey: .commentCount)
    }
}

/// What is sent of a notice; in an edit, what is `nil` stays as it is. A new one needs author and title.
public struct NoticeDraft: Sendable, Hashable, Encodable {
    public var rootUser: NoticeAuthor?
    public var title: String?
    public var content: String?
    /// ISO 8601; `nil`: the time of recording.
    public var createDate: String?
    public var imageList: [String]?

    public init(
        rootUser: NoticeAuthor? = nil, title: String? = nil, content: String? = nil, createDate: String? = nil,
        imageList: [String]? = nil
    ) {
        self.rootUser = rootUser
        self.title = title
        self.content = content
        self.createDate = createDate
        self.imageList = imageList
    }
}
