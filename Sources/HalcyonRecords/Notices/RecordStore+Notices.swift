internal import HalcyonSQLite

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension RecordStore {
    /// Newest `createDate` first; empty for a club without notices.
    package func notices(clubID: String) async throws(RecordError) -> [Notice] {
        let clubID = try NoticeID.check(clubID, field: "clubID")
        return try await read { connection in
            try connection.notices("WHERE clubID = ? ORDER BY createdAt DESC, id DESC", [.text(clubID)])
        }
    }

    /// - Throws: ``RecordError/invalid(field:accepted:)`` naming the field.
    package func addNotice(
        clubID: String, rootUser: NoticeAuthor, draft: NoticeDraft, now: Date = Date()
    ) async throws(RecordError) -> Notice {
        let date = try Self.creationDate(draft.createDate) ?? now
        let notice = Notice(
            id: NoticeID.make(milliseconds: now.milliseconds), clubID: try NoticeID.check(clubID, field: "clubID"),
            rootUser: rootUser, createDate: draft.createDate ?? now.formatted(.iso8601),
            title: try draft.checkedTitle(""), content: try draft.checkedContent(""),
            imageList: try draft.checkedImageList([]), commentCount: 0)
        try await write { connection, changes in
            try connection.run(
                """
                INSERT INTO notices (clubID, id, rootUser, title, content, createDate, createdAt, imageList)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    .text(notice.clubID), .text(notice.id), .text(try json(notice.rootUser)), .text(notice.title),
                    .text(notice.content), .text(notice.createDate), Value(date.milliseconds),
                    .text(try json(notice.imageList)),
                ])
            changes.append(RecordChange(.noticeBoards, .created, record: notice.id, scope: notice.clubID))
        }
        return notice
    }

    /// Changes title, content and images, as far as the draft has them.
    ///
    /// - Throws: ``RecordError/notFound`` if the club has no such notice.
    package func updateNotice(
        clubID: String, id: String, draft: NoticeDraft
    ) async throws(RecordError) -> Notice {
        try await write { connection, changes in
            let old = try connection.notice(clubID: clubID, id: id)
            let new = Notice(
                id: old.id, clubID: old.clubID, rootUser: old.rootUser, createDate: old.createDate,
                title: try draft.checkedTitle(old.title), content: try draft.checkedContent(old.content),
                imageList: try draft.checkedImageList(old.imageList), commentCount: old.commentCount)
            try connection.run(
                "UPDATE notices SET title = ?, content = ?, imageList = ? WHERE clubID = ? AND id = ?",
                [
                    .text(new.title), .text(new.content), .text(try json(new.imageList)), .text(clubID), .text(id),
                ])
            let fields = [
                ("title", old.title != new.title), ("content", old.content != new.content),
                ("imageList", old.imageList != new.imageList),
            ].filter(\.1).map(\.0)
            if !fields.isEmpty {
                changes.append(RecordChange(.noticeBoards, .changed, record: id, scope: clubID, fields: fields))
            }
            return new
        }
    }

    /// - Throws: ``RecordError/notFound`` if the club has no such notice.
    package func removeNotice(clubID: String, id: String) async throws(RecordError) {
        try await write { connection, changes in
            try connection.run("DELETE FROM notices WHERE clubID = ? AND id = ?", [.text(clubID), .text(id)])
            guard connection.changes > 0 else { throw RecordError.notFound }
            changes.append(RecordChange(.noticeBoards, .removed, record: id, scope: clubID))
        }
    }

    private static func creationDate(_ text: String?) throws(RecordError) -> Date? {
        guard let text else { return nil }
        for strategy in [Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true)] {
            // A text that is not of this form may be of the next.
            if let date = (try? strategy.parse(text)) { return date }
        }
        throw .invalid(field: "createDate", accepted: "an ISO 8601 time such as 2026-03-02T09:00:00Z")
    }
}

private func json(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
}

extension Connection {
    fileprivate func notice(clubID: String, id: String) throws -> Notice {
        guard let notice = try notices("WHERE clubID = ? AND id = ?", [.text(clubID), .text(id)]).first else {
            throw RecordError.notFound
        }
        return notice
    }

    fileprivate func notices(_ condition: String, _ values: [Value]) throws -> [Notice] {
        let rows = try all(
            "SELECT id, clubID, rootUser, createDate, title, content, imageList, commentCount FROM notices \(condition)",
            values
        ) { row in
            (
                texts: (0..<7).map { row.text($0) },
                commentCount: row.int(7)
            )
        }
        let decoder = JSONDecoder()
        return try rows.map { row in
            Notice(
                id: row.texts[0], clubID: row.texts[1],
                rootUser: try decoder.decode(NoticeAuthor.self, from: Data(row.texts[2].utf8)),
                createDate: row.texts[3], title: row.texts[4], content: row.texts[5],
                imageList: try decoder.decode([String].self, from: Data(row.texts[6].utf8)),
                commentCount: row.commentCount)
        }
    }
}
