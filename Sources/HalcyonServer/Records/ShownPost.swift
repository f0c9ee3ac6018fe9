internal import HalcyonRecords

/// An exercise post as clients see it.
struct ShownPost: Encodable, Sendable {
    static let schema = JSONSchema.object([
        .required("certi_id", .integer()), .required("certi_date", .text(format: "date")),
        .required("certi_image", .optional(.text())), .required("nickname", .text()), .required("ex_time", .text()),
        .required("ex_intensity", .text()), .required("ex_evalu", .text()), .required("ex_comment", .text()),
        .required("certi_sport", .text()),
    ])

    private let post: ExercisePost
    private let base: String

    init(_ post: ExercisePost, _ photoURLs: PhotoURLs) {
        self.post = post
        base = photoURLs.base
    }

    private enum CodingKeys: String, CodingKey {
        case id = "certi_id"
        case date = "certi_date"
        case image = "certi_image"
        case nickname
        case time = "ex_time"
        case intensity = "ex_intensity"
        case evaluation = "ex_evalu"
        case comment = "ex_comment"
        case sport = "certi_sport"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(post.id, forKey: .id)
        try container.encode(post.day.description, forKey: .date)
        // The `v` changes with the image, so that a client which keeps images by their URL asks anew. `null`, not absent.
        try container.encode(
            post.image.map { "\(base)/certi/image/\(post.id)?v=\($0.description.prefix(16))" }, forKey: .image)
        try container.encode(post.nickname, forKey: .nickname)
        try container.encode(post.text.time, forKey: .time)
        try container.encode(post.text.intensity, forKey: .intensity)
        try container.encode(post.text.evaluation, forKey: .evaluation)
        try container.encode(post.text.comment, forKey: .comment)
        try container.encode(post.text.sport, forKey: .sport)
    }
}
