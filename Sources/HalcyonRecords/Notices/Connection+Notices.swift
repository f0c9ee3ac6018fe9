internal import HalcyonSQLite

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension Connection {
    func notice(clubID: String, id: String) throws -> Notice {
        guard let notice = try notices("AND id = ?", [.text(clubID), .text(id)]).first else {
            throw RecordError.notFound
        }
        return notice
    }

    /// - Parameter rest: what follows the club, the first of `values`.
    func notices(_ rest: String, _ values: [Value]) throws -> [Notice] {
        let rows = try all(
            """
            SELECT id, clubID, rootUser, createDate, title, content, imageList, commentCount FROM notices
            WHERE clubID = ? \(rest)
            """, values
        ) { row in (texts: (0..<7).map { row.text($0) }, commentCount: row.int(7)) }
        return try rows.map { row in
            Notice(
                id: row.texts[0], clubID: row.texts[1], rootUser: try NoticeJSON.value(row.texts[2]),
                createDate: row.texts[3], title: row.texts[4], content: row.texts[5],
                imageList: try NoticeJSON.value(row.texts[6]), commentCount: row.commentCount)
        }
    }

    /// By what the notice is ordered: the instant of its `createDate`.
    func noticeTime(clubID: String, id: String) throws -> Date {
        let milliseconds = try first(
            "SELECT createdAt FROM notices WHERE clubID = ? AND id = ?", [.text(clubID), .text(id)]
        ) { $0.int(0) }
        guard let milliseconds else { throw RecordError.notFound }
        return Date(milliseconds: milliseconds)
    }

    func uploadedImages(clubID: String, noticeID: String) throws -> Set<MediaID> {
        Set(
            try all(
                "SELECT digest FROM noticeImages WHERE clubID = ? AND noticeID = ?", [.text(clubID), .text(noticeID)]
            ) { MediaID($0.text(0)) }.compactMap { $0 })
    }

    /// Writes the notice, new or in place of the one with its id, whose comments stay; uploaded images that are no longer
    /// in its list go.
    func save(_ notice: Notice, createdAt: Date) throws {
        try run(
            """
            INSERT INTO notices (clubID, id, rootUser, title, content, createDate, createdAt, imageList)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (clubID, id) DO UPDATE SET rootUser = excluded.rootUser, title = excluded.title,
                content = excluded.content, createDate = excluded.createDate, createdAt = excluded.createdAt,
                imageList = excluded.imageList
            """,
            [
                .text(notice.clubID), .text(notice.id), .text(try NoticeJSON.text(notice.rootUser)),
                .text(notice.title), .text(notice.content), .text(notice.createDate), Value(createdAt.milliseconds),
                .text(try NoticeJSON.text(notice.imageList)),
            ])
        let kept = notice.imageList.compactMap(Notice.media)
        for media in try uploadedImages(clubID: notice.clubID, noticeID: notice.id) where !kept.contains(media) {
            try run(
                "DELETE FROM noticeImages WHERE clubID = ? AND noticeID = ? AND digest = ?",
                [.text(notice.clubID), .text(notice.id), .text(media.description)])
        }
    }

    /// An id after all that were made before, by this process or another.
    func nextNoticeID(_ now: Date) throws -> String {
        let last = try first("SELECT id FROM lastNoticeID") { $0.text(0) }
        let id = NoticeID.make(milliseconds: now.milliseconds, after: last)
        try run(
            "INSERT INTO lastNoticeID (one, id) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET id = excluded.id",
            [.text(id)])
        return id
    }
}
