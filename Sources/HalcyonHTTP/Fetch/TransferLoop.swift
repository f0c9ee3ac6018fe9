internal import CCurl
internal import Synchronization

/// Runs transfers on the thread that it is made on, until the inbox says stop.
///
/// A round: take what callers left, act on what is due, start what the scheduler lets start, let curl work, deal with what
/// has ended, resume the callers, sleep until there is something to do. Nothing here is touched by another thread.
final class TransferLoop {
    let multi: UnsafeMutableRawPointer
    let inbox: TransferInbox
    private let clock: LoopClock
    private let published: PublishedStatistics
    private(set) var configuration: FetchConfiguration
    private var bundle: CABundle?
    private var resolve: UnsafeMutablePointer<curl_slist>?
    /// Counts configurations: handles that were made for an older one are not used again.
    private var generation = 0

    var scheduler: TransferScheduler
    var jobs: [UInt64: FetchJob] = [:]
    /// In the order they began.
    private(set) var running: [EasyTransfer] = []
    private var idle: [EasyTransfer] = []
    private var nextSpeedCheck: Duration?
    var statistics = FetchStatistics()
    private var finished: [(FetchJob, Result<FetchResponse, FetchError>)] = []
    private(set) var now: Duration = .zero
    private var alarm: (time: Duration, task: Task<Void, Never>)?

    init(
        multi: UnsafeMutableRawPointer, inbox: TransferInbox, clock: LoopClock, published: PublishedStatistics,
        configuration: FetchConfiguration, bundle: CABundle?
    ) {
        self.multi = multi
        self.inbox = inbox
        self.clock = clock
        self.published = published
        self.configuration = configuration
        self.bundle = bundle
        scheduler = TransferScheduler(limits: configuration.limits)
        apply(configuration)
    }

    func run() {
        var isBusy = false
        while true {
            let (commands, isStopping, sleeps) = inbox.take(maySleep: !isBusy)
            if isStopping {
                end(commands)
                return
            }
            if sleeps { sleep() }
            now = clock.now()
            for command in commands { perform(command) }
            expire()
            startQueued()
            var count: Int32 = 0
            curl_multi_perform(multi, &count)
            let hasEnded = collect()
            isBusy = hasEnded && scheduler.queued > 0
            deliver()
        }
    }

    private func sleep() {
        var milliseconds = 60_000
        if let due = [scheduler.nextDue, nextSpeedCheck].compactMap(\.self).min() {
            let left = max(0, (due - clock.now()).milliseconds)
            if clock.isContinuous || left == 0 {
                milliseconds = min(milliseconds, left)
            } else {
                setAlarm(due)
            }
        }
        curl_multi_poll(multi, nil, 0, Int32(milliseconds), nil)
        inbox.awoke()
    }

    /// For a clock that curl's poll does not follow.
    private func setAlarm(_ time: Duration) {
        if alarm?.time == time { return }
        alarm?.task.cancel()
        let task = Task.detached { [clock, inbox] in
            do {
                try await clock.sleep(time)
            } catch {
                return  // Another alarm took its place.
            }
            inbox.wake()
        }
        alarm = (time, task)
    }

    private func deliver() {
        guard !finished.isEmpty || statistics.running != scheduler.running || statistics.queued != scheduler.queued
        else { return }
        statistics.running = scheduler.running
        statistics.queued = scheduler.queued
        statistics.waitingForRetry = scheduler.waiting
        statistics.openBreakers = scheduler.openBreakers
        published.publish(statistics, oldestStart: running.first?.started)
        for (job, result) in finished { job.finish(result) }
        finished.removeAll(keepingCapacity: true)
    }

    // MARK: Commands

    private func perform(_ command: TransferInbox.Command) {
        switch command {
        case .submit(let submission): submit(submission)
        case .cancel(let id):
            if let job = jobs[id] { finish(job, .failure(.cancelled)) }
        case .raisePriority(let id): scheduler.raisePriority(of: id)
        case .reconfigure(let configuration, let bundle):
            self.configuration = configuration
            if let bundle { self.bundle = bundle.take() }
            scheduler.limits = configuration.limits
            apply(configuration)
        }
    }

    private func apply(_ configuration: FetchConfiguration) {
        idle = []
        generation += 1
        curl_slist_free_all(resolve)
        resolve = nil
        for entry in configuration.resolve { resolve = curl_slist_append(resolve, entry) }
        halcyon_curl_multi_setopt_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        halcyon_curl_multi_setopt_long(multi, CURLMOPT_MAXCONNECTS, max(8, configuration.maximumConcurrent))
        statistics.maximumConcurrent = configuration.maximumConcurrent
    }

    private func submit(_ submission: TransferInbox.Submission) {
        let job = FetchJob(submission, configuration: configuration, now: now)
        let id = job.request.id
        if submission.ticket.isCancelled.load(ordering: .acquiring) { return finish(job, .failure(.cancelled)) }
        precondition(jobs[id] == nil, "a request may be submitted again only when it has ended")
        do {
            try job.authorize(configuration.policy)
        } catch {
            return finish(job, .failure(error))
        }
        jobs[id] = job
        let refusal = scheduler.submit(
            id, host: job.host, priority: job.request.priority, deadline: job.deadline, now: now)
        if let refusal { finish(job, .failure(refusal)) }
    }

    // MARK: Transfers

    private func startQueued() {
        while let id = scheduler.next(now: now) {
            guard let job = jobs[id] else { continue }
            do {
                // Once more: the policy may have changed while it waited.
                try job.authorize(configuration.policy)
                try start(job)
            } catch {
                finish(job, .failure(error))
            }
        }
    }

    private func start(_ job: FetchJob) throws(FetchError) {
        let transfer: EasyTransfer
        if let kept = idle.popLast() {
            transfer = kept
        } else {
            transfer = try EasyTransfer(
                configuration: configuration, generation: generation, bundle: bundle, resolve: resolve)
        }
        if job.firstStarted == nil { job.firstStarted = now }
        try transfer.begin(job, now: now)
        running.append(transfer)
        statistics.transfers += 1
        if configuration.lowSpeedBytesPerSecond > 0 { noteSpeedCheck(now + configuration.lowSpeedTime) }
        let code = curl_multi_add_handle(multi, transfer.handle)
        if code != CURLM_OK { throw .setup(Int(code.rawValue)) }
    }

    private func collect() -> Bool {
        var hasEnded = false
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE else { continue }
            let code = halcyon_curl_message_result(message)
            var context: UnsafeMutableRawPointer?
            halcyon_curl_getinfo_pointer(message.pointee.easy_handle, CURLINFO_PRIVATE, &context)
            guard let context else { continue }
            ended(Unmanaged<EasyTransfer>.fromOpaque(context).takeUnretainedValue(), code)
            hasEnded = true
        }
        return hasEnded
    }

    /// Takes the handle out of curl's hands; a transfer that was under way loses its connection.
    func release(_ transfer: EasyTransfer) {
        curl_multi_remove_handle(multi, transfer.handle)
        if let index = running.firstIndex(where: { $0 === transfer }) { running.remove(at: index) }
        transfer.end()
        if transfer.generation == generation { idle.append(transfer) }
    }

    /// Ends a request in whatever state it is. Its caller is resumed at the end of the round.
    func finish(_ job: FetchJob, _ result: Result<FetchResponse, FetchError>) {
        if let transfer = job.transfer { release(transfer) }
        scheduler.remove(job.request.id, now: now)
        jobs[job.request.id] = nil
        switch result {
        case .success(let response):
            statistics.count(status: response.status)
            statistics.bodyBytes += response.body.count
        case .failure(let error): statistics.failures[error.token, default: 0] += 1
        }
        finished.append((job, result))
    }

    // MARK: Time

    private func expire() {
        let due = scheduler.due(now: now)
        for id in due.expired {
            guard let job = jobs[id] else { continue }
            guard let started = job.firstStarted else {
                // It only waited for a place: that is our load, not the origin's slowness.
                finish(job, .failure(.queueFull))
                continue
            }
            // Where most of the time went by in our own queue, the origin is not to blame for the rest.
            if job.transfer != nil { note(now - started >= started - job.submitted ? .failing : .unknown, for: job) }
            finish(job, job.lastAnswer.map { .success($0) } ?? .failure(.timeout(phase: .total)))
        }
        for id in due.refused { refuse(id) }
        if let nextSpeedCheck, now >= nextSpeedCheck { checkSpeeds() }
    }

    private func checkSpeeds() {
        nextSpeedCheck = nil
        guard configuration.lowSpeedBytesPerSecond > 0 else { return }
        for transfer in running {
            let end = transfer.windowStart + configuration.lowSpeedTime
            guard now >= end else {
                noteSpeedCheck(end)
                continue
            }
            let least = Double(configuration.lowSpeedBytesPerSecond) * ((now - transfer.windowStart) / .seconds(1))
            let moved = transfer.received + transfer.sentBytes
            if Double(moved - transfer.windowMoved) < least {
                transfer.abort(.timeout(phase: .lowSpeed))
                ended(transfer, CURLE_OPERATION_TIMEDOUT)
            } else {
                transfer.windowStart = now
                transfer.windowMoved = moved
                noteSpeedCheck(now + configuration.lowSpeedTime)
            }
        }
    }

    private func noteSpeedCheck(_ time: Duration) {
        nextSpeedCheck = nextSpeedCheck.map { min($0, time) } ?? time
    }

    // MARK: End

    private func end(_ commands: [TransferInbox.Command]) {
        for case .submit(let submission) in commands {
            finish(FetchJob(submission, configuration: configuration, now: now), .failure(.shutDown))
        }
        for job in jobs.values { finish(job, .failure(.shutDown)) }
        alarm?.task.cancel()
        idle = []
        inbox.detach()
        curl_multi_cleanup(multi)
        curl_slist_free_all(resolve)
        deliver()
    }
}
