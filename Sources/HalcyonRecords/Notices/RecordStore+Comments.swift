internal import HalcyonSQLite

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Comments. The schema keeps ``Notice/commentCount`` in step.
extension RecordStore {
    /// Oldest first, as they are read.
    ///
    /// - Throws: ``RecordError/notFound`` if the club has no such notice.
    package func comments(clubID: String, noticeID: String) async throws(RecordError) -> [NoticeComment] {
        let clubID = try NoticeID.check(clubID, field: "clubID")
        return try await read { connection in
            try connection.readTransaction {
                _ = try connection.notice(clubID: clubID, id: noticeID)
                return try connection.comments(
                    "ORDER BY createdAt, id", [.text(clubID), .text(noticeID)])
            }
        }
    }

    /// - Parameter createDate: ISO 8601; the time of recording if `nil`.
    /// - Throws: ``RecordError/notFound`` if the club has no such notice; ``RecordError/invalid(field:accepted:)``.
    package func addComment(
        clubID: String, noticeID: String, author: NoticeAuthor, content: String, createDate: String? = nil,
        now: Date = Date()
    ) async throws(RecordError) -> NoticeComment {
        let clubID = try NoticeID.check(clubID, field: "clubID")
        let content = try NoticeComment.content(content)
        let date = try NoticeDraft.date(createDate) ?? now
        return try await write { connection, changes in
            _ = try connection.notice(clubID: clubID, id: noticeID)
            let comment = NoticeComment(
                id: try connection.nextNoticeID(now), clubID: clubID, noticeID: noticeID, author: author,
                createDate: createDate ?? now.formatted(.iso8601), content: content)
            try connection.run(
                """
                INSERT INTO comments (clubID, noticeID, id, author, createDate, createdAt, content)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    .text(clubID), .text(noticeID), .text(comment.id), .text(try NoticeJSON.text(author)),
                    .text(comment.createDate), Value(date.milliseconds), .text(content),
                ])
            changes.append(comment.change(.created))
            return comment
        }
    }

    /// - Throws: ``RecordError/notFound`` if the club's notice has no such comment.
    package func updateComment(
        clubID: String, noticeID: String, id: String, content: String
    ) async throws(RecordError) -> NoticeComment {
        let content = try NoticeComment.content(content)
        return try await write { connection, changes in
            let values: [Value] = [.text(clubID), .text(noticeID), .text(id)]
            try connection.run(
                "UPDATE comments SET content = ? WHERE clubID = ? AND noticeID = ? AND id = ?",
                [.text(content)] + values)
            guard let comment = try connection.comments("AND id = ?", values).first else {
                throw RecordError.notFound
            }
            changes.append(comment.change(.changed, fields: ["content"]))
            return comment
        }
    }

    /// - Throws: ``RecordError/notFound`` if the club's notice has no such comment.
    package func removeComment(clubID: String, noticeID: String, id: String) async throws(RecordError) {
        try await write { connection, changes in
            try connection.run(
                "DELETE FROM comments WHERE clubID = ? AND noticeID = ? AND id = ?",
                [.text(clubID), .text(noticeID), .text(id)])
            guard connection.changes > 0 else { throw RecordError.notFound }
            changes.append(
                RecordChange(
                    .noticeBoards, .removed, record: NoticeComment.record(noticeID: noticeID, id: id), scope: clubID))
        }
    }
}

extension Connection {
    /// - Parameter rest: what follows the club and the notice.
    fileprivate func comments(_ rest: String, _ values: [Value]) throws -> [NoticeComment] {
        let rows = try all(
            """
            SELECT id, clubID, noticeID, author, createDate, content FROM comments
            WHERE clubID = ? AND noticeID = ? \(rest)
            """, values
        ) { row in (0..<6).map { row.text($0) } }
        return try rows.map { row in
            NoticeComment(
                id: row[0], clubID: row[1], noticeID: row[2], author: try NoticeJSON.value(row[3]),
                createDate: row[4], content: row[5])
        }
    }
}
