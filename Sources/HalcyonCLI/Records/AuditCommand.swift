internal import Foundation
internal import HalcyonRecords

extension Command {
    static let audit = Command(
        path: ["audit"], summary: "who changed which record when, newest first",
        options: [Options.topic.spec, Options.since.spec, Options.json.spec],
        details: [
            "Time, who (user:ID, command-line:ACCOUNT or anyone), what, and the names of the fields that changed; no values. "
                + "It is kept for 400 days."
        ]
    ) { invocation in
        let records = try invocation.records()
        let users = Dictionary(
            uniqueKeysWithValues: try await records.users().map { ("user:\($0.id)", $0.email) })
        var query = AuditQuery()
        query.topic = invocation.settings[Options.topic]
        query.since = invocation.settings[Options.since].map { Date().addingTimeInterval(-$0.inSeconds) }
        query.limit = AuditQuery.limitRange.upperBound
        let isJSON = invocation.settings[Options.json]
        var rows: [JSONValue] = []
        while true {
            let entries = try await records.audit(query)
            for entry in entries {
                if isJSON {
                    rows.append(entry.json)
                } else {
                    invocation.console.print(entry.line(actor: users[entry.actor] ?? entry.actor))
                }
            }
            guard entries.count == query.limit, let last = entries.last else { break }
            query.before = last.seq
        }
        if isJSON { invocation.console.print(JSONValue.array(rows).text(isPretty: true)) }
        return .done
    }
}

extension JournalEntry {
    fileprivate func line(actor: String) -> String {
        let place = change.scope.map { " in \($0)" } ?? ""
        let fields = change.fields.isEmpty ? "" : ": " + change.fields.joined(separator: ", ")
        return Shown.text(
            "\(at.ISO8601Format())  \(actor)  \(change.topic.rawValue) \(change.record)\(place) "
                + "\(change.action.rawValue)\(fields)")
    }

    fileprivate var json: JSONValue {
        [
            "seq": .integer(seq), "at": .string(at.ISO8601Format()), "actor": .string(actor),
            "topic": .string(change.topic.rawValue), "action": .string(change.action.rawValue),
            "record": .string(change.record), "scope": change.scope.map(JSONValue.string) ?? .null,
            "fields": .array(change.fields.map(JSONValue.string)),
        ]
    }
}
