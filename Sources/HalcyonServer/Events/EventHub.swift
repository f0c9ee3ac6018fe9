internal import HalcyonRecords
internal import Synchronization

/// Follows the journal of changes and tells those who have asked. Nothing is read while nobody listens.
///
/// One task at a time reads what is new and hands it to everybody who has had all that came before (`isLive`); who comes
/// back after a while reads the journal in a task of its own until then. Nobody waits for a client: what one does not read
/// waits in its stream, up to the stream's limit.
final class EventHub: Sendable {
    /// More changes than this are not told one by one, neither after a long absence nor when a roster is imported: a
    /// `reset` stands for them.
    static let maximumBacklog = 1000
    /// After this long a stream ends: its client comes back by itself and is asked who it is again.
    static let maximumAge = Duration.seconds(3600)

    private struct Subscriber {
        let stream: ResponseStream
        let topics: [EventTopic]
        let format: EventFormat
        let userID: Int?
        let since: ContinuousClock.Instant
        /// The last entry that was told, or was none of its topics.
        var position: Int
        var isLive = false
    }

    private struct State {
        var subscribers: [Int: Subscriber] = [:]
        var nextID = 0
        /// The last entry that has been handed out.
        var position = 0
        var isReading = false
        var isBehind = false
    }

    private let records: RecordStore
    private let counters: ServerCounters
    private let logger: Logger
    private let state = Mutex(State())

    init(records: RecordStore, counters: ServerCounters, logger: Logger) {
        self.records = records
        self.counters = counters
        self.logger = logger
    }

    var subscriberCount: Int { state.withLock { $0.subscribers.count } }

    /// A stream of the changes that concern `topics`.
    ///
    /// - Parameters:
    ///   - after: the last entry that the client knows of; `nil` for what happens from now on.
    ///   - userID: whose stream it is: it ends when something about that account changes.
    func subscribe(
        to topics: [EventTopic], after: Int? = nil, format: EventFormat = .serverSent, userID: Int? = nil
    ) async throws(RecordError) -> ResponseStream {
        let last = try await records.lastJournalEntry()
        let isKnown = try await isKnown(after ?? last, last: last)
        let start = isKnown ? after ?? last : last
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let beginning = await format.beginning(start)
        let stream = ResponseStream(limitBytes: ResponseStream.defaultLimitBytes + beginning.count) { [weak self] in
            self?.remove(id)
        }
        stream.write(beginning)
        if !isKnown { await writeReset(stream, format, last) }
        let subscriber = Subscriber(
            stream: stream, topics: topics, format: format, userID: userID, since: .now, position: start)
        state.withLock { state in
            // Nothing was read while nobody listened.
            if state.subscribers.isEmpty { state.position = max(state.position, start) }
            state.subscribers[id] = subscriber
        }
        await catchUp(id)
        changed()
        return stream
    }

    /// To be called when there may be something new.
    func changed() {
        let isFirst = state.withLock { state in
            guard !state.subscribers.isEmpty else { return false }
            state.isBehind = true
            defer { state.isReading = true }
            return !state.isReading
        }
        if isFirst { Task { await read() } }
    }

    /// Writes to everybody, so that connections live and dead ones are noticed, and looks whether there is news.
    func beat() {
        let now = ContinuousClock.now
        for (id, subscriber) in state.withLock({ $0.subscribers }) {
            if now - subscriber.since > Self.maximumAge {
                subscriber.stream.end()
            } else {
                write(subscriber.format.keepAlive, to: subscriber.stream, id, events: 0)
            }
        }
        changed()
    }

    /// Beats until the task is cancelled.
    func run(every interval: Duration) async {
        while true {
            do { try await Task.sleep(for: interval) } catch { return }
            beat()
        }
    }

    // MARK: Handing out

    private func read() async {
        while true {
            let position = state.withLock { state -> Int? in
                guard state.isBehind, !state.subscribers.isEmpty else {
                    state.isReading = false
                    return nil
                }
                state.isBehind = false
                return state.position
            }
            guard let position else { return }
            do throws(RecordError) {
                let last = try await records.lastJournalEntry()
                guard last > position else { continue }
                let entries =
                    last - position > Self.maximumBacklog
                    ? nil : try await records.journal(after: position, limit: Self.maximumBacklog)
                await hand(entries, upTo: entries?.last.map { max($0.seq, last) } ?? last)
            } catch {
                // The next change or beat tries again.
                logger.log(.warning, "events", ["problem": .text(error.description)])
            }
        }
    }

    /// `nil`: too many to tell.
    private func hand(_ entries: [JournalEntry]?, upTo last: Int) async {
        let (live, others) = state.withLock { state in
            let live = state.subscribers.filter { $0.value.isLive && $0.value.format.isShared }
            let others = state.subscribers.filter { $0.value.isLive && !$0.value.format.isShared }
            // Somebody may have come with a later one while this was read.
            state.position = max(state.position, last)
            for (id, subscriber) in live { state.subscribers[id]?.position = max(subscriber.position, last) }
            for id in others.keys { state.subscribers[id]?.isLive = false }
            return (live, others)
        }
        for id in others.keys { Task { await catchUp(id) } }
        var texts: [Int: [UInt8]] = [:]
        for entry in entries ?? [] { texts[entry.seq] = await EventFormat.serverSent.event(entry) }
        for (id, subscriber) in live {
            await tell(entries, upTo: last, to: subscriber, id) { [texts] in texts[$0.seq] }
        }
    }

    /// Tells one subscriber what the others have been told already, until it is one of them.
    private func catchUp(_ id: Int) async {
        while true {
            let subscriber = state.withLock { state -> Subscriber? in
                guard let subscriber = state.subscribers[id] else { return nil }
                guard subscriber.position < state.position else {
                    state.subscribers[id]?.isLive = true
                    return nil
                }
                return subscriber
            }
            guard let subscriber else { return }
            do throws(RecordError) {
                let last = try await records.lastJournalEntry()
                let entries =
                    last - subscriber.position > Self.maximumBacklog
                    ? nil : try await records.journal(after: subscriber.position, limit: Self.maximumBacklog)
                await tell(entries, upTo: last, to: subscriber, id, subscriber.format.event)
                let end = max(entries?.last?.seq ?? last, last)
                state.withLock { $0.subscribers[id]?.position = end }
            } catch {
                // It comes back and is told what it missed.
                subscriber.stream.end()
                remove(id)
                logger.log(.warning, "events", ["problem": .text(error.description)])
            }
        }
    }

    /// - Parameters:
    ///   - entries: `nil` for too many to tell one by one.
    ///   - text: of an entry; `nil` for one that is not to be told.
    private func tell(
        _ entries: [JournalEntry]?, upTo last: Int, to subscriber: Subscriber, _ id: Int,
        _ text: (JournalEntry) async -> [UInt8]?
    ) async {
        guard let entries else {
            if !(await writeReset(subscriber.stream, subscriber.format, last)) { remove(id) }
            return
        }
        var bytes: [UInt8] = []
        var count = 0
        for entry in entries
        where entry.seq > subscriber.position && subscriber.topics.contains(where: { $0.covers(entry.change) }) {
            guard let text = await text(entry) else { continue }
            bytes += text
            count += 1
        }
        write(bytes, to: subscriber.stream, id, events: count)
        // Something about the account has changed: who it is is asked again.
        let isEnded = entries.contains {
            $0.change.topic == .users && subscriber.userID.map(String.init) == $0.change.record
        }
        if isEnded { subscriber.stream.end() }
    }

    // MARK: Writing

    private func write(_ bytes: [UInt8], to stream: ResponseStream, _ id: Int, events: Int) {
        guard !bytes.isEmpty else { return }
        if stream.write(bytes) {
            if events > 0 { counters.sentEvents.add(events, ordering: .relaxed) }
        } else {
            if stream.hasOverflown { counters.slowReaders.add(1, ordering: .relaxed) }
            remove(id)
        }
    }

    /// Says whether the stream goes on.
    @discardableResult
    private func writeReset(_ stream: ResponseStream, _ format: EventFormat, _ last: Int) async -> Bool {
        if let bytes = await format.reset(last) { return stream.write(bytes) }
        stream.end()
        return false
    }

    /// Whether all changes after `seq` can be told: not if the journal does not go back so far, or not so far ahead.
    private func isKnown(_ seq: Int, last: Int) async throws(RecordError) -> Bool {
        guard seq < last else { return seq == last }
        guard last - seq <= Self.maximumBacklog else { return false }
        return try await records.journal(after: seq, limit: 1).first?.seq == seq + 1
    }

    private func remove(_ id: Int) {
        state.withLock { _ = $0.subscribers.removeValue(forKey: id) }
    }
}
