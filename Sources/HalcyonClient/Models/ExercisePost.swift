/// The five texts of an exercise post, under the names that the app gives them.
public struct ExerciseText: Sendable, Hashable, Encodable {
    public var time: String
    public var intensity: String
    public var evaluation: String
    public var comment: String
    public var sport: String

    public init(time: String, intensity: String, evaluation: String, comment: String, sport: String) {
        self.time = time
        self.intensity = intensity
        self.evaluation = evaluation
        self.comment = comment
        self.sport = sport
    }

    enum CodingKeys: String, CodingKey {
        case time = "ex_time"
        case intensity = "ex_intensity"
        case evaluation = "ex_evalu"
        case comment = "ex_comment"
        case sport = "certi_sport"
    }
}

/// What somebody did on a day.
public struct ExercisePost: Sendable, Hashable, Decodable, Identifiable {
    public let id: Int
    public let nickname: String
    /// ISO 8601.
    public let date: String
    /// A URL; `nil` without a photo.
    public let image: String?
    public let time: String
    public let intensity: String
    public let evaluation: String
    public let comment: String
    public let sport: String

    enum CodingKeys: String, CodingKey {
        case id = "certi_id"
        case nickname
        case date = "certi_date"
        case image = "certi_image"
        case time = "ex_time"
        case intensity = "ex_intensity"
        case evaluation = "ex_evalu"
        case comment = "ex_comment"
        case sport = "certi_sport"
    }
}

/// Somebody who posts exercises, after signing up or in; and what their page says of them.
public struct Exerciser: Sendable, Hashable, Decodable {
    public let nickname: String
    public let email: String
    /// How often a week the user means to exercise; 0 until it is set, `nil` after signing up or in.
    public let cycle: Int?
    /// After signing up or in.
    public let token: Secret?

    enum CodingKeys: String, CodingKey {
        case nickname, email, token
        case cycle = "ex_cycle"
    }
}
