internal import Dispatch

/// A connection on a serial queue of its own, so that no blocking call runs on the cooperative pool.
///
/// One ``Database`` per writer or reader; WAL lets readers run beside the writer (https://www.sqlite.org/wal.html).
package final class Database: @unchecked Sendable {
    // Guard: `connection` is touched on `queue` alone.
    private let connection: Connection
    private let queue: DispatchQueue

    package let path: String

    package init(path: String, options: Connection.Options = .init(), migrations: [String] = []) throws {
        self.path = path
        self.queue = DispatchQueue(label: "halcyon.sqlite")
        self.connection = try Connection(path: path, options: options)
        // A reader leaves the schema to the writer.
        if !migrations.isEmpty { try connection.migrate(migrations) }
    }

    /// Runs `body` on the connection's queue.
    package func run<T: Sendable>(_ body: @escaping @Sendable (Connection) throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body(self.connection) }) }
        }
    }

    /// Runs `body` on the connection's queue later, in the order of the calls.
    package func enqueue(_ body: @escaping @Sendable (Connection) -> Void) {
        queue.async { body(self.connection) }
    }

    /// Runs `body` on the connection's queue and waits for it. Blocks the calling thread: for start-up, command-line
    /// work and threads of our own, never from a task.
    package func runBlocking<T>(_ body: (Connection) throws -> T) throws -> T {
        try queue.sync { try body(connection) }
    }
}
