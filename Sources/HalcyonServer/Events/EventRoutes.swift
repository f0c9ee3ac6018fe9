internal import HalcyonHTTP
internal import HalcyonRecords

/// `/events`: changes as they happen.
struct EventRoutes: RouteFamily {
    let hub: EventHub
    let access: AccessControl

    /// Of an event stream, whatever its format: kept by no cache and passed on by proxies as it comes.
    static let fields = [
        ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"), ("X-Accel-Buffering", "no"),
    ]

    private static let topic = "(students|guidances|noticeBoards(/[^,]+)?)"

    var routes: [Route] {
        [
            Route(
                "GET", path: "/events", access: .role(.viewer), kind: .records,
                note: RouteNote(
                    summary: "Server-sent events on every change",
                    query: [
                        .init("topics", .text(pattern: "^\(Self.topic)(,\(Self.topic))*$")),
                        .init("lastEventID", .integer(0...StudentRoutes.idRange.upperBound)),
                    ],
                    answer: .events)
            ) { (request, _) throws(Problem) in try await events(request) }
        ]
    }

    private func events(_ request: HTTPRequest) async throws(Problem) -> HTTPAnswer {
        let topics = try topics(request)
        let after = try lastEventID(request)
        guard !request.isHead else { return HTTPAnswer(status: 200, fields: Self.fields, body: .stream(.ended)) }
        let stream = try await orProblem(await hub.subscribe(to: topics, after: after, userID: request.user?.id))
        return HTTPAnswer(status: 200, fields: Self.fields, body: .stream(stream))
    }

    /// All that the client may read, if it names none.
    private func topics(_ request: HTTPRequest) throws(Problem) -> [EventTopic] {
        guard let text = try request.target.single("topics") else {
            return EventTopic.all.filter { access.permits($0.access, request.user) }
        }
        var topics: [EventTopic] = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let topic = EventTopic(String(name)) else {
                throw .outOfRange("topics", accepted: "\(EventTopic.accepted), separated by commas")
            }
            guard access.permits(topic.access, request.user) else {
                throw Problem(403, .notPermitted, "topics: \(topic.name) is for \(topic.access.label) alone")
            }
            topics.append(topic)
        }
        return topics
    }

    /// From the header, or for clients that cannot set it (EventSource starts without) from the query.
    private func lastEventID(_ request: HTTPRequest) throws(Problem) -> Int? {
        if let text = request.fields["Last-Event-ID"], !text.isEmpty {
            // What is none of our numbers is as good as one that is long gone: the client is told to reload.
            return Int(text) ?? -1
        }
        return try request.target.number("lastEventID", in: 0...Int.max)
    }
}
