/// Bodies that no model stands for.

struct GuidanceDraft: Encodable, Sendable {
    let studentID: Int
    let reason: String
    let detail: String?
}

struct ExerciserDraft: Encodable, Sendable {
    let email: String
    let password: String
    let nickname: String
    let cycle: Int

    private enum CodingKeys: String, CodingKey {
        case email, password, nickname
        case cycle = "ex_cycle"
    }
}

struct PersonChange: Encodable, Sendable {
    let role: Person.Role?
    let userName: String?
}

struct PostChange: Encodable, Sendable {
    let id: Int?
    let text: ExerciseText

    private enum CodingKeys: String, CodingKey { case id = "certi_id" }

    func encode(to encoder: any Encoder) throws {
        try text.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(id, forKey: .id)
    }
}
