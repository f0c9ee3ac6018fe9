/// Who wrote a notice, as the notice tells it.
package struct NoticeAuthor: Sendable, Hashable {
    package let id: String
    /// An http or https URL.
    package let profileImageURL: String?
    package let nickName: String
    package let description: String?

    /// - Parameter field: under which errors name the author.
    /// - Throws: ``RecordError/invalid(field:accepted:)`` naming a field of the author.
    package init(
        id: String, nickName: String, profileImageURL: String? = nil, description: String? = nil,
        field: String = "rootUser"
    ) throws(RecordError) {
        self.id = try RecordText.check(id, field: "\(field).id", length: 1...128)
        self.nickName = try RecordText.check(nickName, field: "\(field).nickName", length: 1...100)
        self.profileImageURL = try StudentRules.photoURL(profileImageURL, field: "\(field).profileImageURL")
        let text = try RecordText.check(
            description ?? "", field: "\(field).description", length: 0...1000, isMultiline: true)
        self.description = text.isEmpty ? nil : text
    }

    package init(_ user: User) {
        id = String(user.id)
        nickName = user.userName
        profileImageURL = nil
        description = nil
    }
}

extension NoticeAuthor: Codable {
    private enum CodingKeys: CodingKey {
        case id, profileImageURL, profileImage, nickName, description
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            id: container.decode(String.self, forKey: .id),
            nickName: container.decode(String.self, forKey: .nickName),
            profileImageURL: container.decodeIfPresent(String.self, forKey: .profileImageURL)
                ?? container.decodeIfPresent(String.self, forKey: .profileImage),
            description: container.decodeIfPresent(String.self, forKey: .description),
            field: decoder.codingPath.last?.stringValue ?? "rootUser"
        )
    }

    /// The image goes under the names that our clients and the older app ask for; what is missing is `null`.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(profileImageURL, forKey: .profileImageURL)
        try container.encode(profileImageURL, forKey: .profileImage)
        try container.encode(nickName, forKey: .nickName)
        try container.encode(description, forKey: .description)
    }
}
