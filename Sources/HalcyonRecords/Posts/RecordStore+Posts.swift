internal import HalcyonSQLite

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Exercise posts: everybody who is signed in reads them, their author alone changes them.
///
/// A post belongs to the calendar day of its making, in the server's time zone.
extension RecordStore {
    /// - Throws: ``RecordError/invalid(field:accepted:)`` naming the field; ``RecordError/notFound`` if there is no such
    ///   user.
    package func addPost(
        authorID: Int, draft: ExerciseDraft, now: Date = Date(), timeZone: TimeZone = .current
    ) async throws(RecordError) -> ExercisePost {
        let text = try draft.text(inPlaceOf: nil)
        let day = CalendarDay(now, timeZone: timeZone)
        return try await write { connection, changes in
            let user = try connection.first("SELECT 1 FROM users WHERE id = ?", [Value(authorID)]) { _ in true }
            guard user != nil else { throw RecordError.notFound }
            try connection.run(
                """
                INSERT INTO posts (userID, day, createdAt, time, intensity, evaluation, comment, sport)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """, [Value(authorID), .text(day.description), Value(now.milliseconds)] + text.values)
            let post = try connection.post(id: connection.lastInsertedRowID)
            changes.append(post.change(.created))
            return post
        }
    }

    /// `nil` if there is none with this id.
    package func post(id: Int) async throws(RecordError) -> ExercisePost? {
        try await read { connection in try connection.posts("WHERE posts.id = ?", [Value(id)]).first }
    }

    /// Everybody's posts of a day, newest first.
    package func posts(of day: CalendarDay) async throws(RecordError) -> [ExercisePost] {
        try await read { connection in
            try connection.posts("WHERE day = ? ORDER BY posts.id DESC", [.text(day.description)])
        }
    }

    /// All posts of a user, newest first.
    package func posts(authorID: Int) async throws(RecordError) -> [ExercisePost] {
        try await read { connection in
            try connection.posts("WHERE userID = ? ORDER BY posts.id DESC", [Value(authorID)])
        }
    }

    /// - Parameter id: `nil` for the author's latest post of today.
    /// - Throws: ``RecordError/notFound``; ``RecordError/notPermitted`` for another's post;
    ///   ``RecordError/invalid(field:accepted:)`` naming the field.
    package func updatePost(
        id: Int?, authorID: Int, draft: ExerciseDraft, now: Date = Date(), timeZone: TimeZone = .current
    ) async throws(RecordError) -> ExercisePost {
        let today = CalendarDay(now, timeZone: timeZone)
        return try await write { connection, changes in
            let old =
                try id.map { try connection.post(id: $0, authorID: authorID) }
                ?? connection.posts(
                    "WHERE userID = ? AND day = ? ORDER BY posts.id DESC LIMIT 1",
                    [Value(authorID), .text(today.description)]
                ).first
            guard let old else { throw RecordError.notFound }
            let text = try draft.text(inPlaceOf: old.text)
            let fields = old.text.names(thatDifferFrom: text)
            guard !fields.isEmpty else { return old }
            try connection.run(
                "UPDATE posts SET time = ?, intensity = ?, evaluation = ?, comment = ?, sport = ? WHERE id = ?",
                text.values + [Value(old.id)])
            changes.append(old.change(.changed, fields: fields))
            return try connection.post(id: old.id)
        }
    }

    /// - Parameter image: recorded as media; takes the place of the one it has.
    /// - Throws: ``RecordError/notFound``; ``RecordError/notPermitted`` for another's post.
    package func setPostImage(_ image: MediaID, id: Int, authorID: Int) async throws(RecordError) -> ExercisePost {
        try await write { connection, changes in
            let old = try connection.post(id: id, authorID: authorID)
            try connection.run("UPDATE posts SET image = ? WHERE id = ?", [.text(image.description), Value(id)])
            if old.image != image { changes.append(old.change(.changed, fields: ["certi_image"])) }
            return try connection.post(id: id)
        }
    }

    /// - Throws: ``RecordError/notFound``; ``RecordError/notPermitted`` for another's post.
    package func removePost(id: Int, authorID: Int) async throws(RecordError) {
        try await write { connection, changes in
            let old = try connection.post(id: id, authorID: authorID)
            try connection.run("DELETE FROM posts WHERE id = ?", [Value(id)])
            changes.append(old.change(.removed))
        }
    }

    // MARK: My page

    package func exerciseSummary(
        userID: Int, now: Date = Date(), timeZone: TimeZone = .current
    ) async throws(RecordError) -> ExerciseSummary {
        let week = CalendarDay(now, timeZone: timeZone).week
        return try await read { connection in
            let summary = try connection.first(
                """
                SELECT (SELECT cycle FROM exerciseCycles WHERE userID = ?1), count(*), coalesce(sum(day BETWEEN ?2 AND ?3), 0)
                FROM posts WHERE userID = ?1
                """, [Value(userID), .text(week.lowerBound), .text(week.upperBound)]
            ) { ExerciseSummary(cycle: $0.int(0), postCount: $0.int(1), postCountThisWeek: $0.int(2)) }
            return summary ?? ExerciseSummary(cycle: 0, postCount: 0, postCountThisWeek: 0)
        }
    }

    /// - Parameter cycle: ``ExerciseSummary/cycleRange``.
    /// - Throws: ``RecordError/invalid(field:accepted:)`` with `ex_cycle`; ``RecordError/notFound`` if there is no such
    ///   user.
    package func setExerciseCycle(_ cycle: Int, userID: Int) async throws(RecordError) {
        guard ExerciseSummary.cycleRange.contains(cycle) else {
            throw .invalid(field: "ex_cycle", accepted: "a whole number from 1 to 7")
        }
        try await write { connection, changes in
            let user = try connection.first("SELECT 1 FROM users WHERE id = ?", [Value(userID)]) { _ in true }
            guard user != nil else { throw RecordError.notFound }
            try connection.run(
                """
                INSERT INTO exerciseCycles (userID, cycle) VALUES (?, ?)
                ON CONFLICT (userID) DO UPDATE SET cycle = excluded.cycle
                """, [Value(userID), Value(cycle)])
            changes.append(RecordChange(.users, .changed, record: userID, fields: ["ex_cycle"]))
        }
    }
}

extension ExercisePost.Text {
    fileprivate var values: [Value] { [time, intensity, evaluation, comment, sport].map { .text($0) } }

    fileprivate func names(thatDifferFrom other: Self) -> [String] {
        zip(["ex_time", "ex_intensity", "ex_evalu", "ex_comment", "certi_sport"], zip(values, other.values))
            .filter { $0.1.0 != $0.1.1 }.map(\.0)
    }
}

extension Connection {
    fileprivate func posts(_ rest: String, _ values: [Value]) throws -> [ExercisePost] {
        try all("\(ExercisePost.selection) \(rest)", values) { ExercisePost($0) }.compactMap { $0 }
    }

    fileprivate func post(id: Int) throws -> ExercisePost {
        guard let post = try posts("WHERE posts.id = ?", [Value(id)]).first else { throw RecordError.notFound }
        return post
    }

    /// The post, if `authorID` wrote it.
    fileprivate func post(id: Int, authorID: Int) throws -> ExercisePost {
        let post = try post(id: id)
        guard post.authorID == authorID else { throw RecordError.notPermitted }
        return post
    }
}
