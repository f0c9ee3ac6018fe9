internal import CCurl

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// What follows when a transfer has ended: the answer, the next hop, another attempt, or an error.
extension TransferLoop {
    func ended(_ transfer: EasyTransfer, _ code: CURLcode) {
        guard let job = transfer.job else { return }
        transfer.measure(into: &job.metrics)
        if job.metrics.isReusedConnection { statistics.reusedConnections += 1 }
        let ending = transfer.ending(code)
        switch ending {
        case .answer:
            let response = response(transfer, job)
            release(transfer)
            note(500...599 ~= response.status ? .failing : .healthy, for: job)
            answered(job, response)
        case .redirect(let location, let status):
            release(transfer)
            note(.healthy, for: job)
            follow(location, status, job)
        case .restart:
            release(transfer)
            note(.healthy, for: job)
            repeatAtOnce(job, orFail: .badPartial)
        case .failed(let error):
            let mayRepeat = job.method.isIdempotent || !transfer.hasBegunRequest
            keepPart(of: transfer, job)
            release(transfer)
            note(error.verdict, for: job)
            failed(job, error, mayRepeat: mayRepeat)
        }
    }

    /// Tells the scheduler, and refuses the queued requests of a host whose breaker opened by this.
    func note(_ verdict: TransferScheduler.Verdict, for job: FetchJob) {
        for id in scheduler.ended(job.request.id, verdict: verdict, now: now) { refuse(id) }
    }

    func refuse(_ id: UInt64) {
        guard let job = jobs[id] else { return }
        let left = scheduler.breakerOpensIn(job.host, now: now) ?? .zero
        finish(job, job.lastAnswer.map { .success($0) } ?? .failure(job.lastError ?? .breakerOpen(retryAfter: left)))
    }

    private func answered(_ job: FetchJob, _ response: FetchResponse) {
        if job.method.isIdempotent, RetryPolicy.isWorthRetrying(status: response.status) {
            job.lastAnswer = response
            let asked = RetryAfter.delay(in: response.fields, now: response.responseTime)
            if retry(job, after: asked) { return }
        }
        finish(job, .success(response))
    }

    private func failed(_ job: FetchJob, _ error: FetchError, mayRepeat: Bool) {
        if case .refused(.addressBlocked, _) = error, job.metrics.isReusedConnection, !job.mayNotReuse {
            // A kept connection goes where only another rule may; the name may well lead somewhere allowed.
            job.mayNotReuse = true
            return requeue(job)
        }
        job.lastError = error
        if mayRepeat, error.isTransient, retry(job, after: nil) { return }
        finish(job, .failure(error))
    }

    private func follow(_ location: String, _ status: Int, _ job: FetchJob) {
        statistics.redirects += 1
        do {
            try job.follow(
                location, status: status, maximum: configuration.maximumRedirects, policy: configuration.policy)
            try job.authorize(configuration.policy)
        } catch {
            return finish(job, .failure(error))
        }
        requeue(job)
    }

    private func requeue(_ job: FetchJob) {
        if let error = scheduler.requeue(job.request.id, host: job.host, now: now) { finish(job, .failure(error)) }
    }

    private func repeatAtOnce(_ job: FetchJob, orFail error: FetchError) {
        guard takeRetry(job) else { return finish(job, .failure(error)) }
        requeue(job)
    }

    /// Lets the job wait for another attempt; `false` if it has none left or no time for it.
    private func retry(_ job: FetchJob, after asked: Duration?) -> Bool {
        guard job.retriesLeft > 0 else { return false }
        let policy = RetryPolicy(base: configuration.backoffBase, cap: configuration.backoffCap)
        let delay = policy.delay(
            retry: job.metrics.attempts, retryAfter: asked, random: Double.random(in: 0..<1))
        return scheduler.wait(job.request.id, until: now + delay, now: now) && takeRetry(job)
    }

    private func takeRetry(_ job: FetchJob) -> Bool {
        guard job.retriesLeft > 0 else { return false }
        job.retriesLeft -= 1
        job.metrics.attempts += 1
        statistics.retries += 1
        if job.partial != nil { statistics.resumes += 1 }
        return true
    }

    /// Remembers what a broken transfer brought, if the origin can be asked for the rest.
    private func keepPart(of transfer: EasyTransfer, _ job: FetchJob) {
        if transfer.isResumed {
            job.partial?.bytes = transfer.takeBody()
        } else if job.method == .get, transfer.head.isComplete {
            job.partial = PartialBody(head: transfer.head, bytes: transfer.takeBody())
        }
    }

    private func response(_ transfer: EasyTransfer, _ job: FetchJob) -> FetchResponse {
        let body = transfer.takeBody()
        job.metrics.bodyBytes = body.count
        job.metrics.total = now - job.submitted
        return FetchResponse(
            status: transfer.isResumed ? 200 : transfer.head.status,
            fields: transfer.isResumed ? job.partial?.fields ?? transfer.head.fields : transfer.head.fields,
            body: body, finalURL: job.url, requestTime: transfer.requestTime, responseTime: transfer.responseTime,
            metrics: job.metrics)
    }
}

extension FetchError {
    /// What the error says about the host: that it does not answer, that it does, or nothing.
    fileprivate var verdict: TransferScheduler.Verdict {
        switch self {
        case .resolve, .connect, .tls, .timeout, .truncated: .failing
        case .bodyTooLarge, .unacceptable, .badPartial, .protocolError, .redirectWithoutLocation: .healthy
        default: .unknown
        }
    }
}
