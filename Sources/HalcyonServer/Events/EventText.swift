internal import Foundation
internal import HalcyonRecords

/// Server-sent events as they go over the wire (WHATWG HTML §9.2.6).
enum EventText {
    /// To be written now and then, so that whoever stands between sees that the connection lives. A comment: clients skip it.
    static let keepAlive = Array(":\n\n".utf8)

    /// What a stream begins with: how long a client waits before it comes back, and where it then resumes if no event comes
    /// before (an id without data is remembered and is no event).
    static func beginning(after seq: Int) -> [UInt8] { Array("retry: 3000\nid: \(seq)\n\n".utf8) }

    /// The events since the client's last are not all known: what it shows has to be loaded anew.
    static func reset(after seq: Int) -> [UInt8] {
        Array("id: \(seq)\nevent: reset\ndata: {\"message\":\"reload: not all changes since then are told\"}\n\n".utf8)
    }

    private struct Payload: Encodable {
        let topic: String
        let action: String
        let id: String
        let clubID: String?

        enum CodingKeys: CodingKey { case topic, action, id, clubID }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(topic, forKey: .topic)
            try container.encode(action, forKey: .action)
            try container.encode(id, forKey: .id)
            // `null`, not absent.
            try container.encode(clubID, forKey: .clubID)
        }
    }

    static func event(_ entry: JournalEntry) -> [UInt8]? {
        let change = entry.change
        let payload = Payload(
            topic: change.topic.rawValue, action: change.action.rawValue, id: change.record, clubID: change.scope)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        do {
            // On one line: JSON escapes the line breaks of its texts.
            let json = try encoder.encode(payload)
            return Array("id: \(entry.seq)\nevent: \(change.topic.rawValue)\ndata: ".utf8) + json + [0x0A, 0x0A]
        } catch {
            // Texts always encode.
            return nil
        }
    }
}
