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
            try connection.notices("ORDER BY createdAt DESC, id DESC", [.text(clubID)])
        }
    }

    /// `nil` if the club has no such notice.
    package func notice(clubID: String, id: String) async throws(RecordError) -> Notice? {
        let clubID = try NoticeID.check(clubID, field: "clubID")
        return try await read { connection in
            try connection.notices("AND id = ?", [.text(clubID), .text(id)]).first
        }
    }

    /// - Throws: ``RecordError/invalid(field:accepted:)`` naming the field.
    package func addNotice(
        clubID: String, rootUser: NoticeAuthor, draft: NoticeDraft, now: Date = Date()
    ) async throws(RecordError) -> Notice {
        let clubID = try NoticeID.check(clubID, field: "clubID")
        let createdAt = try NoticeDraft.date(draft.createDate) ?? now
        let title = try draft.checkedTitle("")
        let content = try draft.checkedContent("")
        let images = try draft.checkedImageList([])
        return try await write { connection, changes in
            let notice = Notice(
                id: try connection.nextNoticeID(now), clubID: clubID, rootUser: rootUser,
                createDate: draft.createDate ?? now.formatted(.iso8601), title: title, content: content,
                imageList: images, commentCount: 0)
            try connection.save(notice, createdAt: createdAt)
            changes += notice.changes(from: nil)
            return notice
        }
    }

    /// Changes title, content and images, as far as the draft has them.
    ///
    /// - Throws: ``RecordError/notFound`` if the club has no such notice; ``RecordError/invalid(field:accepted:)`` also for an
    ///   author or a `createDate` other than it has.
    package func updateNotice(
        clubID: String, id: String, draft: NoticeDraft
    ) async throws(RecordError) -> Notice {
        try await write { connection, changes in
            let old = try connection.notice(clubID: clubID, id: id)
            // A notice that was read and is sent back has them; what would change them is not taken for done.
            guard draft.rootUser ?? old.rootUser == old.rootUser else {
                throw RecordError.invalid(field: "rootUser", accepted: "the author that it has")
            }
            guard draft.createDate ?? old.createDate == old.createDate else {
                throw RecordError.invalid(field: "createDate", accepted: "the createDate that it has")
            }
            let new = Notice(
                id: old.id, clubID: old.clubID, rootUser: old.rootUser, createDate: old.createDate,
                title: try draft.checkedTitle(old.title), content: try draft.checkedContent(old.content),
                imageList: try draft.checkedImageList(
                    old.imageList, uploaded: try connection.uploadedImages(clubID: clubID, noticeID: id)),
                commentCount: old.commentCount)
            try connection.save(new, createdAt: try connection.noticeTime(clubID: clubID, id: id))
            changes += new.changes(from: old)
            return new
        }
    }

    /// With its comments and images.
    ///
    /// - Throws: ``RecordError/notFound`` if the club has no such notice.
    package func removeNotice(clubID: String, id: String) async throws(RecordError) {
        let clubID = try NoticeID.check(clubID, field: "clubID")
        try await write { connection, changes in
            try connection.run("DELETE FROM notices WHERE clubID = ? AND id = ?", [.text(clubID), .text(id)])
            guard connection.changes > 0 else { throw RecordError.notFound }
            changes.append(RecordChange(.noticeBoards, .removed, record: id, scope: clubID))
        }
    }

    // MARK: Uploaded images

    /// A notice has at most so many uploaded images.
    package static let uploadedImageLimit = 20

    /// Puts uploaded images, which are recorded as media, behind those that the notice has. One that it has already is not put there again.
    ///
    /// - Throws: ``RecordError/notFound`` if the club has no such notice; ``RecordError/invalid(field:accepted:)`` with
    ///   `image` for more than ``uploadedImageLimit``.
    package func addImages(
        _ images: [MediaID], clubID: String, noticeID: String
    ) async throws(RecordError) -> Notice {
        try await write { connection, changes in
            let old = try connection.notice(clubID: clubID, id: noticeID)
            var notice = old
            var uploaded = try connection.uploadedImages(clubID: clubID, noticeID: noticeID)
            for media in images where uploaded.insert(media).inserted {
                notice.imageList.append(Notice.image(media))
                try connection.run(
                    "INSERT INTO noticeImages (clubID, noticeID, digest) VALUES (?, ?, ?)",
                    [.text(clubID), .text(noticeID), .text(media.description)])
            }
            guard uploaded.count <= Self.uploadedImageLimit else {
                throw RecordError.invalid(
                    field: "image", accepted: "at most \(Self.uploadedImageLimit) uploaded images of a notice")
            }
            try connection.save(notice, createdAt: try connection.noticeTime(clubID: clubID, id: noticeID))
            changes += notice.changes(from: old)
            return notice
        }
    }

    /// Whether a notice of this club has this uploaded image.
    package func hasImage(_ media: MediaID, clubID: String) async throws(RecordError) -> Bool {
        try await read { connection in
            try connection.first(
                "SELECT 1 FROM noticeImages WHERE digest = ? AND clubID = ?", [.text(media.description), .text(clubID)]
            ) { _ in true } ?? false
        }
    }
}
