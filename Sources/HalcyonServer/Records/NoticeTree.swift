internal import HalcyonRecords

/// The notices of the clubs as the older clients' database has them.
struct NoticeTree: Sendable {
    typealias Value = RequestBody.Value

    let records: RecordStore
    let settings: SettingsBox

    func value(_ notice: Notice) -> Value { .tree(of: notice.shown(settings.current.photoURLs)) }

    /// By their ids.
    func notices(clubID: String) async throws(RecordError) -> [String: Value] {
        let notices = try await records.notices(clubID: clubID)
        return Dictionary(notices.map { ($0.id, value($0)) }, uniquingKeysWith: { first, _ in first })
    }

    /// `null` if the club has no such notice.
    func notice(clubID: String, id: String) async throws(RecordError) -> Value {
        try await records.notice(clubID: clubID, id: id).map(value) ?? .null
    }

    /// A club, or one notice of it; `null` if there is none.
    func value(clubID: String, id: String?) async throws(RecordError) -> Value {
        if let id { return try await notice(clubID: clubID, id: id) }
        let notices = try await notices(clubID: clubID)
        return notices.isEmpty ? .null : .object(notices)
    }
}
