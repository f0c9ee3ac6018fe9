internal import HalcyonSQLite

/// What a user says of a day's exercise.
package struct ExercisePost: Sendable, Hashable {
    package let id: Int
    package let authorID: Int
    /// The author's name of today, not of the day of the post.
    package let nickname: String
    package let day: CalendarDay
    package let text: Text
    /// Its photo, which is recorded as media; `nil` without one.
    package let image: MediaID?

    /// The five texts, each of at most 1000 characters; the comment may have line breaks.
    package struct Text: Sendable, Hashable {
        package let time: String
        package let intensity: String
        package let evaluation: String
        package let comment: String
        package let sport: String
    }

    static let selection = """
        SELECT posts.id, userID, users.userName, day, time, intensity, evaluation, comment, sport, image
        FROM posts JOIN users ON users.id = posts.userID
        """

    /// A row of ``selection``; `nil` for a day that is none, which the store never writes.
    init?(_ row: borrowing Row) {
        guard let day = CalendarDay(row.text(3)) else { return nil }
        id = row.int(0)
        authorID = row.int(1)
        nickname = row.text(2)
        self.day = day
        text = Text(
            time: row.text(4), intensity: row.text(5), evaluation: row.text(6), comment: row.text(7),
            sport: row.text(8))
        image = row.optionalText(9).flatMap { MediaID($0) }
    }

    func change(_ action: RecordChange.Action, fields: [String] = []) -> RecordChange {
        RecordChange(.posts, action, record: id, scope: String(authorID), fields: fields)
    }
}
