internal import Dispatch
internal import HalcyonSQLite
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension DiskCache {
    /// What the cache holds: totals from their counters, shares and expiries from the index. Tens of milliseconds for
    /// 200,000 entries; no folder is walked.
    package func statistics() async -> DiskStatistics {
        await run(on: indexQueue) { self.flush() }
        let now = configuration.wallClock().timeIntervalSince1970
        let lane = lane(of: readQueues)
        return await run(on: readQueues[lane]) {
            var statistics = DiskStatistics()
            if let index = self.currentIndex() {
                do {
                    try index.readers[lane].runBlocking { try Self.fill(&statistics, from: $0, now: now) }
                } catch {
                    _ = self.handle(error)
                }
            }
            statistics.state = self.state
            statistics.limitBytes = self.configuration.limitBytes
            statistics.counters = self.counters.withLock { $0 }
            return statistics
        }
    }

    private static func fill(
        _ statistics: inout DiskStatistics, from connection: Connection, now: TimeInterval
    ) throws {
        let state = StateTable(connection: connection)
        statistics.count = try state.value(.entries)
        statistics.bytes = try state.value(.bytes)
        statistics.failures = try FailureTable(connection: connection).count
        let share = { (row: borrowing Row) in
            DiskStatistics.Share(name: row.text(0), count: row.int(1), bytes: row.int(2))
        }
        statistics.hosts = try connection.all(
            "SELECT host, count(*), sum(size) FROM entry GROUP BY host ORDER BY host", read: share)
        let tagged = { (kind: String) in
            try connection.all(
                "SELECT tag, count(*), sum(size) FROM tag WHERE tag >= ? AND tag < ? GROUP BY tag ORDER BY tag",
                [.text(kind + ":"), .text(kind + ";")], read: share)
        }
        statistics.classes = try tagged("class")
        statistics.mounts = try tagged("mount")
        let count = { (from: TimeInterval?, to: TimeInterval?) in
            try connection.first(
                "SELECT count(*) FROM entry WHERE expiresAt > ? AND expiresAt <= ?",
                [.real(from ?? -.infinity), .real(to ?? .infinity)]
            ) { $0.int(0) } ?? 0
        }
        statistics.expiries = DiskStatistics.Expiries(
            expired: try count(nil, now), withinHour: try count(now, now + 3_600),
            withinDay: try count(now + 3_600, now + 86_400), withinWeek: try count(now + 86_400, now + 604_800),
            later: try count(now + 604_800, nil),
            never: try connection.first("SELECT count(*) FROM entry WHERE expiresAt IS NULL") { $0.int(0) } ?? 0)
    }
}
