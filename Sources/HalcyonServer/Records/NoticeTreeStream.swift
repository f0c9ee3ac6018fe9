internal import Foundation
internal import HalcyonRecords

/// A place of the tree as a stream of events, in the protocol of the older clients' database: `put` with the whole data
/// first, then a `put` or `patch` for each change, with its path below the place
/// (https://firebase.google.com/docs/reference/rest/database#section-streaming).
///
/// A change is told with the data of the moment at which it is written out, so that what comes last is what is there.
struct NoticeTreeStream: Sendable {
    typealias Value = RequestBody.Value

    let tree: NoticeTree
    let clubID: String
    /// `nil` for the club.
    let noticeID: String?

    private struct Payload: Encodable {
        let path: String
        let data: Value
    }

    var format: EventFormat {
        EventFormat(
            beginning: { _ in await whole() }, event: { entry in await event(entry.change) },
            reset: { _ in await whole() }, keepAlive: Array("event: keep-alive\ndata: null\n\n".utf8))
    }

    private func whole() async -> [UInt8] {
        do throws(RecordError) {
            return Self.text("put", "/", try await tree.value(clubID: clubID, id: noticeID))
        } catch { return Self.cancel }
    }

    /// `nil` for a change of another notice, or of what the tree does not show.
    private func event(_ change: RecordChange) async -> [UInt8]? {
        // That of a comment is the notice's id and more.
        let parts = change.record.split(separator: "/", maxSplits: 1).map(String.init)
        guard let id = parts.first, noticeID == nil || noticeID == id else { return nil }
        let isComment = parts.count > 1
        if isComment, change.action == .changed { return nil }
        let path = noticeID == nil ? "/\(id)" : "/"
        do throws(RecordError) {
            let notice = try await tree.notice(clubID: clubID, id: id)
            let fields = isComment ? ["commentCount"] : change.fields
            guard case .object(let members) = notice, isComment || change.action == .changed else {
                return Self.text("put", path, notice)
            }
            return Self.text("patch", path, .object(members.filter { fields.contains($0.key) }))
        } catch { return Self.cancel }
    }

    /// What is there cannot be read: the client has to begin anew.
    private static let cancel = Array("event: cancel\ndata: null\n\n".utf8)

    private static func text(_ event: String, _ path: String, _ data: Value) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        do {
            // On one line: JSON escapes the line breaks of its texts.
            return Array("event: \(event)\ndata: ".utf8) + [UInt8](try encoder.encode(Payload(path: path, data: data)))
                + Array("\n\n".utf8)
        } catch {
            // Texts, lists and objects always encode.
            return cancel
        }
    }
}
