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

    /// What a notice was read with and is sent back with. They are made here: of a new notice `id`, and always `commentCount`, are left aside.
    static let ownProperties: [JSONSchema.Property] = [
        .optional("id", .anything), .optional("clubID", .optional(.text())),
        .optional("commentCount", .anything),
    ]

    var draft = NoticeDraft()

    /// A notice is where its path says.
    ///
    /// - Parameter id: `nil` for one that has none yet; what it may be sent with is left aside.
    static func checkIdentity(_ fields: [String: RequestBody.Value], clubID: String, id: String?) throws(Problem) {
        for (name, own) in [("clubID", clubID), ("id", id)] {
            guard let own, let value = fields[name], value != .null, value != .text(own) else { continue }
            throw .notAllowed(name, "accepted is the \(name) in the path")
        }
    }

    static let authorFields = ["id", "nickName", "profileImage", "profileImageURL", "description"]

    /// - Parameter place: what stands before the name of a member.
    /// - Throws: 400 naming a member that an author does not have.
    static func checkAuthor(_ value: RequestBody.Value, in place: String) throws(Problem) {
        guard let other = value.members.keys.sorted().first(where: { !authorFields.contains($0) }) else { return }
        throw .notAllowed(
            place + RequestBody.shown(other), "accepted are \(authorFields.joined(separator: ", "))")
    }

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
