internal import Glibc
internal import Synchronization

/// The open connections. A descriptor is shut down only under the lock that its removal needs, so that it cannot have
/// been closed and given to another connection meanwhile.
final class ConnectionTable: Sendable {
    private let open = Mutex<[Int: ClientConnection]>([:])
    private let nextID = Atomic<Int>(0)

    var count: Int { open.withLock { $0.count } }

    func count(in phase: ClientConnection.Phase) -> Int {
        open.withLock { $0.values.count { $0.phase == phase } }
    }

    func add(socket: Int32, now: Int) -> ClientConnection {
        let connection = ClientConnection(
            socket: socket, id: nextID.wrappingAdd(1, ordering: .relaxed).newValue, now: now)
        open.withLock { $0[connection.id] = connection }
        return connection
    }

    func remove(_ connection: ClientConnection) {
        open.withLock { $0[connection.id] = nil }
    }

    /// Shuts down what is overdue, and says how many that were, and what its client has left; their I/O threads then close
    /// them.
    func sweep(now: Int, limits: ListenerConfiguration) -> Int {
        open.withLock { connections in
            var count = 0
            for connection in connections.values {
                let isOverdue = connection.isOverdue(now: now, limits: limits)
                guard isOverdue || connection.isAbandoned else { continue }
                shutdown(connection.socket, Int32(SHUT_RDWR))
                // Not counted again by the next sweep.
                connection.enter(.idle, now: now)
                if isOverdue { count += 1 }
            }
            return count
        }
    }
}
