internal import HalcyonSQLite

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Notices as the older clients' database takes them: ids are the client's, and dates in whatever form it writes them.
extension RecordStore {
    /// Puts a notice under this id, in place of one that is there, whose comments stay.
    ///
    /// - Parameter draft: `rootUser` and `title` have to be in it. A `createDate` that is no ISO 8601 time is kept as it
    ///   is; the notice is ordered by the time at which that text was first recorded.
    /// - Throws: ``RecordError/invalid(field:accepted:)`` naming the field.
    package func putNotice(
        clubID: String, id: String, draft: NoticeDraft, now: Date = Date()
    ) async throws(RecordError) -> Notice {
        let clubID = try NoticeID.check(clubID, field: "clubID")
        let id = try NoticeID.check(id, field: "id")
        return try await write { connection, changes in
            let old = try connection.notices("AND id = ?", [.text(clubID), .text(id)]).first
            let notice = try connection.put(draft, clubID: clubID, id: id, old: old, now: now)
            changes += notice.changes(from: old)
            return notice
        }
    }

    /// Changes what the draft has.
    ///
    /// - Throws: ``RecordError/notFound`` if the club has no such notice, unless the draft is a whole one;
    ///   ``RecordError/invalid(field:accepted:)``.
    package func patchNotice(
        clubID: String, id: String, draft: NoticeDraft, now: Date = Date()
    ) async throws(RecordError) -> Notice {
        let patched = try await patchNotice(clubID: clubID, id: id, now: now) { _ -> Result<NoticeDraft, RecordError> in
            .success(draft)
        }
        return try patched.get()
    }

    /// The same with a draft that depends on what is there, which nobody changes meanwhile.
    ///
    /// - Parameter draft: given the notice, `nil` if the club has none with this id; a failure of it changes nothing.
    package func patchNotice<Failure: Error>(
        clubID: String, id: String, now: Date = Date(),
        draft: @escaping @Sendable (Notice?) -> Result<NoticeDraft, Failure>
    ) async throws(RecordError) -> Result<Notice, Failure> {
        let clubID = try NoticeID.check(clubID, field: "clubID")
        let id = try NoticeID.check(id, field: "id")
        return try await write { connection, changes in
            let old = try connection.notices("AND id = ?", [.text(clubID), .text(id)]).first
            var whole: NoticeDraft
            switch draft(old) {
            case .success(let draft): whole = draft
            case .failure(let failure): return .failure(failure)
            }
            if let old {
                whole.rootUser = whole.rootUser ?? old.rootUser
                whole.title = whole.title ?? old.title
                whole.content = whole.content ?? old.content
                whole.createDate = whole.createDate ?? old.createDate
                whole.imageList = whole.imageList ?? old.imageList
            } else if whole.rootUser == nil || whole.title == nil {
                throw RecordError.notFound
            }
            let notice = try connection.put(whole, clubID: clubID, id: id, old: old, now: now)
            changes += notice.changes(from: old)
            return .success(notice)
        }
    }

    /// As ``putNotice(clubID:id:draft:now:)``, under a new id.
    package func pushNotice(
        clubID: String, draft: NoticeDraft, now: Date = Date()
    ) async throws(RecordError) -> Notice {
        let clubID = try NoticeID.check(clubID, field: "clubID")
        return try await write { connection, changes in
            let id = try connection.nextNoticeID(now)
            let notice = try connection.put(draft, clubID: clubID, id: id, old: nil, now: now)
            changes += notice.changes(from: nil)
            return notice
        }
    }
}

extension Connection {
    fileprivate func put(
        _ draft: NoticeDraft, clubID: String, id: String, old: Notice?, now: Date
    ) throws -> Notice {
        guard let rootUser = draft.rootUser else {
            throw RecordError.invalid(field: "rootUser", accepted: "an object with id and nickName")
        }
        let createDate = try draft.createDate.map {
            try RecordText.check($0, field: "createDate", length: 1...100)
        }
        let uploaded = old == nil ? [] : try uploadedImages(clubID: clubID, noticeID: id)
        let notice = Notice(
            id: id, clubID: clubID, rootUser: rootUser, createDate: createDate ?? now.formatted(.iso8601),
            title: try draft.checkedTitle(""), content: try draft.checkedContent(""),
            imageList: try draft.checkedImageList([], uploaded: uploaded), commentCount: old?.commentCount ?? 0)
        let isSameDate = old.map { $0.createDate == notice.createDate } ?? false
        try save(
            notice,
            createdAt: isSameDate
                ? try noticeTime(clubID: clubID, id: id) : createDate.flatMap { ISOTime.date($0) } ?? now)
        return notice
    }
}
