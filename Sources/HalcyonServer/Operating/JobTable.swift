internal import Foundation
internal import Halcyon
internal import HalcyonCrypto
internal import Synchronization

/// Prefetches started over HTTP: a few at a time, the last ones remembered for an hour.
final class JobTable: Sendable {
    static let maximumRunning = 4
    static let maximumKept = 64
    static let keptSeconds: TimeInterval = 3600

    private struct Job {
        var report: JobReport
        var endedAt: Date?
        var task: Task<Void, Never>?
    }

    private let jobs = Mutex<[String: Job]>([:])
    private let now: @Sendable () -> Date

    init(now: @escaping @Sendable () -> Date) {
        self.now = now
    }

    /// - Throws: 429 while as many are running as may.
    func start(
        count: Int,
        work:
            @escaping @Sendable (@escaping @Sendable (ImagePrefetcher.Outcome) -> Void) async -> ImagePrefetcher.Summary
    ) throws(Problem) -> JobReport {
        let id = Base64URL.encode(SecureRandom.bytes(12))
        let report = JobReport(id: id, total: count)
        let now = now()
        let isTaken = jobs.withLock { jobs in
            jobs = jobs.filter { $0.value.endedAt.map { now.timeIntervalSince($0) < Self.keptSeconds } ?? true }
            guard jobs.values.count(where: { $0.endedAt == nil }) < Self.maximumRunning else { return false }
            if jobs.count >= Self.maximumKept,
                let oldest = jobs.filter({ $0.value.endedAt != nil })
                    .min(by: { ($0.value.endedAt ?? now) < ($1.value.endedAt ?? now) })
            {
                jobs[oldest.key] = nil
            }
            let task = Task {
                let summary = await work { outcome in self.update(id) { $0.add(outcome) } }
                self.finish(id, summary)
            }
            jobs[id] = Job(report: report, endedAt: nil, task: task)
            return true
        }
        guard isTaken else {
            throw Problem(
                429, .tooManyRequests, "\(Self.maximumRunning) jobs are running; wait for one to end",
                fields: [("Retry-After", "10")])
        }
        return report
    }

    func report(_ id: String) -> JobReport? { jobs.withLock { $0[id]?.report } }

    func cancelAll() {
        let tasks = jobs.withLock { $0.values.compactMap(\.task) }
        for task in tasks { task.cancel() }
    }

    private func update(_ id: String, _ change: (inout JobReport) -> Void) {
        jobs.withLock { jobs in
            guard var job = jobs[id] else { return }
            change(&job.report)
            jobs[id] = job
        }
    }

    private func finish(_ id: String, _ summary: ImagePrefetcher.Summary) {
        let end = now()
        jobs.withLock { jobs in
            jobs[id]?.report.finish(summary)
            jobs[id]?.endedAt = end
            jobs[id]?.task = nil
        }
    }
}
