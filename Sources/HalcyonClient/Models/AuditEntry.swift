/// One change of a record: what changed, never to which value.
public struct AuditEntry: Sendable, Hashable, Decodable {
    public let seq: Int
    /// ISO 8601.
    public let at: String
    public let actor: String
    /// `students`, `guidances`, `noticeBoards`, `posts` or `users`.
    public let topic: String
    /// `created`, `changed`, `removed` or `restored`.
    public let action: String
    /// The id.
    public let record: String
    public let scope: String?
    /// Names of the fields that changed.
    public let fields: [String]
}

/// Which entries of the audit trail; newest first.
public struct AuditFilter: Sendable, Hashable {
    public var topic: String?
    public var actor: String?
    public var record: String?
    /// Only entries after this `seq`, or before it.
    public var after: Int?
    public var before: Int?
    public var limit: Int?

    public init(
        topic: String? = nil, actor: String? = nil, record: String? = nil, after: Int? = nil, before: Int? = nil,
        limit: Int? = nil
    ) {
        self.topic = topic
        self.actor = actor
        self.record = record
        self.after = after
        self.before = before
        self.limit = limit
    }

    var query: RequestTask {
        .query([
            ("topic", topic), ("actor", actor), ("record", record), ("after", after.map { "\($0)" }),
            ("before", before.map { "\($0)" }), ("limit", limit.map { "\($0)" }),
        ])
    }
}
