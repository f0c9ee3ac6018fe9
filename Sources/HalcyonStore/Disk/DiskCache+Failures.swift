internal import Dispatch
internal import HalcyonSQLite

/// Photos that could not be had.
extension DiskCache {
    /// What is remembered of the last failure of `key`, if its time is not over.
    package func failure(for key: CacheKey) async -> FailureRecord? {
        let lane = lane(of: readQueues)
        let now = configuration.wallClock()
        return await run(on: readQueues[lane]) {
            guard let index = self.currentIndex() else { return nil }
            do {
                let record = try index.readers[lane].runBlocking { try FailureTable(connection: $0).record(for: key) }
                return record.flatMap { now < $0.until ? $0 : nil }
            } catch {
                _ = self.handle(error)
                return nil
            }
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
