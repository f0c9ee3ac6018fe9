internal import HalcyonSQLite
internal import Synchronization

/// Writes in the order in which they come. Those that wait while another is put on disk share the next transaction: with
/// `synchronous=FULL` a commit waits for the disk, and that wait is the same for one write and for thirty.
///
/// Each write has a savepoint of its own, so that one that fails does not take the others along.
final class WriteQueue: Sendable {
    /// One write and whoever waits for it.
    struct Pending: Sendable {
        /// Runs in a transaction, again if that fails for another's sake. Answers with what tells of success, for after the
        /// commit.
        let body: @Sendable (Connection) throws -> @Sendable () -> Void
        let fail: @Sendable (any Error) -> Void
    }

    /// Bounds how long the first of them waits for the last.
    private static let groupLimit = 64

    private let database: Database
    private let waiting = Mutex<[Pending]>([])

    init(_ database: Database) {
        self.database = database
    }

    func add(_ write: Pending) {
        waiting.withLock { $0.append(write) }
        database.enqueue { self.runWaiting($0) }
    }

    /// Called once for each write that was added; finds nothing if it went with an earlier one.
    private func runWaiting(_ connection: Connection) {
        let group = waiting.withLock { waiting in
            let group = Array(waiting.prefix(Self.groupLimit))
            waiting.removeFirst(group.count)
            return group
        }
        if group.count > 1, runTogether(group, connection) { return }
        for write in group { runAlone(write, connection) }
    }

    private func runAlone(_ write: Pending, _ connection: Connection) {
        do {
            try connection.transaction { try write.body(connection) }()
        } catch {
            write.fail(error)
        }
    }

    /// - Returns: whether everybody has been told; otherwise nothing was written. A commit may fail for what a single write
    ///   did, because foreign keys are checked then.
    private func runTogether(_ group: [Pending], _ connection: Connection) -> Bool {
        var told: [@Sendable () -> Void] = []
        do {
            try connection.transaction {
                for write in group {
                    do {
                        told.append(try connection.savepoint { try write.body(connection) })
                    } catch {
                        guard connection.isInTransaction else { throw error }
                        told.append { write.fail(error) }
                    }
                }
            }
        } catch {
            // Each alone finds out whether the failure is its own.
            return false
        }
        for tell in told { tell() }
        return true
    }
}
