/// Decides which request may transfer next, which must wait, and which has run out of time.
///
/// A plain value: it knows requests by number and the time by what it is told (since an arbitrary start), and does
/// nothing itself. Interactive requests go before prefetches; within a priority hosts take turns, and a host's requests
/// go in the order they came.
struct TransferScheduler {
    typealias ID = UInt64

    struct Limits {
        var maximumConcurrent: Int
        var maximumPerHost: Int
        var maximumQueued: Int
        var breakerThreshold: Int
        var breakerCooldown: Duration
    }

    /// What a transfer says about the host's health.
    enum Verdict {
        case healthy
        case failing
        case unknown
    }

    private enum Phase: Equatable {
        case queued
        case running
        /// The transfer is over, what follows is not decided yet.
        case ended
        case waiting(until: Duration)
    }

    private struct Entry {
        var host: String
        var priority: FetchPriority
        let deadline: Duration
        var phase = Phase.queued
    }

    private struct Host {
        var running = 0
        var interactive = FIFO<ID>()
        var prefetch = FIFO<ID>()
        var breaker = Breaker()

        var isIdle: Bool { running == 0 && interactive.isEmpty && prefetch.isEmpty && breaker.isQuiet }

        func isEmpty(_ priority: FetchPriority) -> Bool {
            priority == .interactive ? interactive.isEmpty : prefetch.isEmpty
        }

        mutating func withQueue<Result>(_ priority: FetchPriority, _ change: (inout FIFO<ID>) -> Result) -> Result {
            priority == .interactive ? change(&interactive) : change(&prefetch)
        }

        mutating func start(_ priority: FetchPriority) -> ID? {
            running += 1
            breaker.started()
            return withQueue(priority) { $0.popFirst() }
        }
    }

    var limits: Limits
    private var entries: [ID: Entry] = [:]
    private var hosts: [String: Host] = [:]
    /// Hosts that have queued requests, in the order of their turns.
    private var turns: [FetchPriority: FIFO<String>] = [.interactive: FIFO(), .prefetch: FIFO()]
    /// Nothing is due before this; it may be too early, never too late.
    private(set) var nextDue: Duration?

    private(set) var queued = 0
    private(set) var running = 0
    private(set) var waiting = 0
    var openBreakers: Int { hosts.values.count { $0.breaker.isOpen } }

    init(limits: Limits) { self.limits = limits }

    /// Queues a new request, or says why not.
    mutating func submit(
        _ id: ID, host: String, priority: FetchPriority, deadline: Duration, now: Duration
    ) -> FetchError? {
        guard queued < limits.maximumQueued else { return .queueFull }
        if let error = refusal(host: host, priority: priority, start: now, deadline: deadline) { return error }
        entries[id] = Entry(host: host, priority: priority, deadline: deadline)
        enqueue(id, host: host, priority: priority)
        noteDue(deadline)
        return nil
    }

    /// The request to start now, which counts as running from here on; `nil` if none may.
    mutating func next(now: Duration) -> ID? {
        guard running < limits.maximumConcurrent, queued > 0 else { return nil }
        for priority in [FetchPriority.interactive, .prefetch] {
            for _ in 0..<(turns[priority]?.count ?? 0) {
                guard let name = turns[priority]?.popFirst() else { break }
                guard mayStart(host: name, now: now) else {
                    turns[priority]?.append(name)
                    continue
                }
                guard let first = hosts[name]?.start(priority) else { continue }
                if hosts[name]?.isEmpty(priority) == false { turns[priority]?.append(name) }
                entries[first]?.phase = .running
                queued -= 1
                running += 1
                return first
            }
        }
        return nil
    }

    /// A transfer has ended; its request is out of the scheduler until ``requeue`` or ``wait`` or for good.
    /// Returns the queued requests that are refused because the host's breaker opened.
    mutating func ended(_ id: ID, verdict: Verdict, now: Duration) -> [ID] {
        guard let entry = entries[id], entry.phase == .running else { return [] }
        running -= 1
        var hasOpened = false
        update(entry.host) { host, limits in
            host.running -= 1
            switch verdict {
            case .healthy: host.breaker.succeeded()
            case .unknown: host.breaker.endedWithoutWord(now: now)
            case .failing:
                hasOpened = host.breaker.failed(
                    now: now, threshold: limits.breakerThreshold, cooldown: limits.breakerCooldown)
            }
        }
        entries[id]?.phase = .ended
        waiting += 1
        guard hasOpened, let host = hosts[entry.host] else { return [] }
        if let opensAt = host.breaker.opensAt { noteDue(opensAt) }
        return (Array(host.interactive.all) + Array(host.prefetch.all)).filter { queuedID in
            guard let queued = entries[queuedID] else { return false }
            return host.breaker.refusal(priority: queued.priority, start: now, deadline: queued.deadline) != nil
        }
    }

    /// Puts an ended request in front of its new host's queue: a redirect goes on before something new begins.
    mutating func requeue(_ id: ID, host: String, now: Duration) -> FetchError? {
        guard let entry = entries[id] else { return nil }
        if let error = refusal(host: host, priority: entry.priority, start: now, deadline: entry.deadline) {
            return error
        }
        entries[id]?.host = host
        entries[id]?.phase = .queued
        waiting -= 1
        enqueue(id, host: host, priority: entry.priority, isFirst: true)
        return nil
    }

    /// Lets an ended request wait for its retry; `false` if its deadline or an open breaker comes before that.
    mutating func wait(_ id: ID, until: Duration, now: Duration) -> Bool {
        guard let entry = entries[id], until < entry.deadline else { return false }
        guard refusal(host: entry.host, priority: entry.priority, start: until, deadline: entry.deadline) == nil
        else { return false }
        entries[id]?.phase = .waiting(until: until)
        noteDue(until)
        return true
    }

    /// Forgets a request in whatever state it is.
    mutating func remove(_ id: ID, now: Duration) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        switch entry.phase {
        case .queued:
            dequeue(id, entry)
        case .running:
            running -= 1
            update(entry.host) { host, _ in
                host.running -= 1
                host.breaker.endedWithoutWord(now: now)
            }
        case .ended, .waiting: waiting -= 1
        }
    }

    mutating func raisePriority(of id: ID) {
        guard let entry = entries[id], entry.priority == .prefetch else { return }
        entries[id]?.priority = .interactive
        guard entry.phase == .queued else { return }
        dequeue(id, entry)
        enqueue(id, host: entry.host, priority: .interactive)
    }

    /// What is due: requests past their deadline, and requests whose retry may begin (they are queued by this).
    /// Requests that a breaker refuses at that moment are in `refused`.
    mutating func due(now: Duration) -> (expired: [ID], refused: [ID]) {
        guard let nextDue, now >= nextDue else { return ([], []) }
        self.nextDue = nil
        var expired: [ID] = []
        var ready: [(ID, Entry)] = []
        for (id, entry) in entries {
            if now >= entry.deadline {
                expired.append(id)
                continue
            }
            noteDue(entry.deadline)
            guard case .waiting(let until) = entry.phase else { continue }
            if now >= until { ready.append((id, entry)) } else { noteDue(until) }
        }
        var refused: [ID] = []
        for (id, entry) in ready.sorted(by: { $0.0 < $1.0 }) {
            if refusal(host: entry.host, priority: entry.priority, start: now, deadline: entry.deadline) != nil {
                refused.append(id)
                continue
            }
            entries[id]?.phase = .queued
            waiting -= 1
            enqueue(id, host: entry.host, priority: entry.priority)
        }
        for host in hosts.values {
            if let opensAt = host.breaker.opensAt, opensAt > now { noteDue(opensAt) }
        }
        return (expired, refused)
    }

    func breakerOpensIn(_ host: String, now: Duration) -> Duration? {
        hosts[host]?.breaker.opensAt.map { max(.zero, $0 - now) }
    }

    private func refusal(
        host: String, priority: FetchPriority, start: Duration, deadline: Duration
    ) -> FetchError? {
        hosts[host]?.breaker.refusal(priority: priority, start: start, deadline: deadline)
            .map { .breakerOpen(retryAfter: $0) }
    }

    private mutating func enqueue(_ id: ID, host: String, priority: FetchPriority, isFirst: Bool = false) {
        let wasEmpty = hosts[host]?.isEmpty(priority) ?? true
        hosts[host, default: Host()].withQueue(priority) { isFirst ? $0.prepend(id) : $0.append(id) }
        if wasEmpty { turns[priority]?.append(host) }
        queued += 1
    }

    private mutating func dequeue(_ id: ID, _ entry: Entry) {
        queued -= 1
        hosts[entry.host]?.withQueue(entry.priority) { $0.remove(id) }
        if hosts[entry.host]?.isEmpty(entry.priority) != false { turns[entry.priority]?.remove(entry.host) }
        update(entry.host) { _, _ in }
    }

    private func mayStart(host name: String, now: Duration) -> Bool {
        guard let host = hosts[name] else { return false }
        return host.running < limits.maximumPerHost && host.breaker.allowsStart(now: now)
    }

    private mutating func update(_ name: String, _ change: (inout Host, Limits) -> Void) {
        guard hosts[name] != nil else { return }
        change(&hosts[name, default: Host()], limits)
        if hosts[name]?.isIdle == true { hosts[name] = nil }
    }

    private mutating func noteDue(_ time: Duration) {
        nextDue = nextDue.map { min($0, time) } ?? time
    }
}
