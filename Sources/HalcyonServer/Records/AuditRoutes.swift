internal import Foundation
internal import HalcyonRecords

/// `/audit`: who changed what when.
struct AuditRoutes: RouteFamily {
    private static let topics = RecordChange.Topic.allCases.map(\.rawValue)
    private static let seqRange = 0...Int.max

    static let schemas: [String: JSONSchema] = [
        "AuditEntry": .object([
            .required("seq", .integer(1...Int.max)), .required("at", .text(format: "date-time")),
            .required("actor", .text()), .required("topic", .choice(topics)),
            .required("action", .choice(RecordChange.Action.allCases.map(\.rawValue))), .required("record", .text()),
            .required("scope", .optional(.text())), .required("fields", .list(.text())),
        ])
    ]

    let records: RecordStore

    var routes: [Route] {
        [
            Route(
                "GET", path: "/audit", access: .role(.admin), kind: .records,
                note: RouteNote(
                    summary: "Who changed which record when, newest first, a page at a time; no values",
                    query: [
                        .init("topic", .choice(Self.topics)), .init("actor", .text()), .init("record", .text()),
                        .init("after", .integer(Self.seqRange)), .init("before", .integer(Self.seqRange)),
                        .init("limit", .integer(AuditQuery.limitRange)),
                    ],
                    answer: .json(.list(.named("AuditEntry"))))
            ) { (request, _) throws(Problem) in
                let query = try query(request.target)
                let entries = try await orProblem(await records.audit(query))
                // A full page may be the last; then the next one is empty.
                let next = entries.count == query.limit ? entries.last.map { "\($0.seq)" } : nil
                return RecordsAnswer.success(entries.map(ShownEntry.init), next: next)
            }
        ]
    }

    private func query(_ target: RequestTarget) throws(Problem) -> AuditQuery {
        var query = AuditQuery()
        query.topic = try target.choice("topic")
        query.actor = try target.single("actor")
        query.record = try target.single("record")
        query.after = try target.number("after", in: Self.seqRange)
        query.before = try target.number("before", in: Self.seqRange)
        query.limit = try target.number("limit", in: AuditQuery.limitRange) ?? AuditQuery.defaultLimit
        return query
    }

    private struct ShownEntry: Encodable, Sendable {
        let seq: Int
        let at: String
        let actor: String
        let topic: String
        let action: String
        let record: String
        let scope: String?
        let fields: [String]

        enum CodingKeys: CodingKey { case seq, at, actor, topic, action, record, scope, fields }

        init(_ entry: JournalEntry) {
            seq = entry.seq
            at = entry.at.ISO8601Format()
            actor = entry.actor
            topic = entry.change.topic.rawValue
            action = entry.change.action.rawValue
            record = entry.change.record
            scope = entry.change.scope
            fields = entry.change.fields
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(seq, forKey: .seq)
            try container.encode(at, forKey: .at)
            try container.encode(actor, forKey: .actor)
            try container.encode(topic, forKey: .topic)
            try container.encode(action, forKey: .action)
            try container.encode(record, forKey: .record)
            // `null`, not absent.
            try container.encode(scope, forKey: .scope)
            try container.encode(fields, forKey: .fields)
        }
    }
}
