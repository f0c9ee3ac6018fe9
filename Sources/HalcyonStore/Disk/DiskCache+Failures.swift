internal import Dispatch
internal import HalcyonSQLite

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Photos that could not be had.
extension DiskCache {
    /// What is remembered of the last failure of `key`, if its time is not over.
    package func failure(for key: CacheKey) async -> FailureRecord? {
        let lane = lane(of: readQueues)
        let now = configuration.wallClock()
        return await run(on: readQueues[lane]) { self.readFailure(for: key, lane: lane, now: now) }
    }

    /// On a read lane.
    func readFailure(for key: CacheKey, lane: Int, now: Date) -> FailureRecord? {
        guard let index = currentIndex() else { return nil }
        do {
            let record = try index.readers[lane].runBlocking { try FailureTable(connection: $0).record(for: key) }
            return record.flatMap { now < $0.until ? $0 : nil }
        } catch {
            _ = handle(error)
            return nil
        }
    }

    /// Remembers a failure, across restarts, in place of an older one of the key; ``FailureRecord/count`` and
    /// ``FailureRecord/until`` are the caller's to choose.
    package func recordFailure(_ record: FailureRecord, for key: CacheKey) async {
        let limit = configuration.maximumFailures
        await changeFailures { try $0.set(record, for: key, limit: limit) }
    }

    package func clearFailure(for key: CacheKey) async { await changeFailures { try $0.remove(key) } }

    private func changeFailures(_ body: @escaping @Sendable (FailureTable) throws -> Void) async {
        await run(on: indexQueue) {
            guard let index = self.currentIndexOnQueue() else { return }
            do { try index.writer.runBlocking { try body(FailureTable(connection: $0)) } } catch {
                // Then the origin is asked once more.
                _ = self.handle(error)
            }
        }
    }
}
