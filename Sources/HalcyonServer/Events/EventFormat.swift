internal import HalcyonRecords

/// What a stream of changes looks like. The closures run on no particular thread, in the order of the stream.
struct EventFormat: Sendable {
    /// Written first, and told the number of the journal entry after which changes follow: what is read in it is no older.
    let beginning: @Sendable (_ seq: Int) async -> [UInt8]
    /// `nil` for a change that is not to be told.
    let event: @Sendable (JournalEntry) async -> [UInt8]?
    /// For changes that cannot be told one by one, up to this entry; `nil` ends the stream, so that its client begins anew.
    let reset: @Sendable (_ seq: Int) async -> [UInt8]?
    let keepAlive: [UInt8]
    /// Events are written out once for all who hear of them.
    private(set) var isShared = false

    init(
        beginning: @escaping @Sendable (_ seq: Int) async -> [UInt8],
        event: @escaping @Sendable (JournalEntry) async -> [UInt8]?,
        reset: @escaping @Sendable (_ seq: Int) async -> [UInt8]? = { _ in nil }, keepAlive: [UInt8]
    ) {
        self.beginning = beginning
        self.event = event
        self.reset = reset
        self.keepAlive = keepAlive
    }

    /// That of `GET /events`.
    static let serverSent = {
        var format = EventFormat(
            beginning: EventText.beginning, event: EventText.event, reset: EventText.reset,
            keepAlive: EventText.keepAlive)
        format.isShared = true
        return format
    }()
}
