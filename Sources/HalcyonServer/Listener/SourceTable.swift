internal import Synchronization

/// The bodies that are passed on, so that a stop can end them.
final class SourceTable: Sendable {
    /// Guard: written under the lock of the table alone. Weak, since the response keeps its reader.
    private struct Item: @unchecked Sendable {
        weak var reader: SourceReader?
    }

    private struct State {
        var readers: [ObjectIdentifier: Item] = [:]
        var isStopping = false
    }

    private let state = Mutex(State())

    func add(_ reader: SourceReader) {
        let isStopping = state.withLock { state in
            state.readers[ObjectIdentifier(reader)] = Item(reader: reader)
            return state.isStopping
        }
        if isStopping { reader.end() }
    }

    func remove(_ reader: SourceReader) {
        state.withLock { $0.readers[ObjectIdentifier(reader)] = nil }
    }

    /// Ends all, and from now on each that is added.
    func endAll() {
        let readers = state.withLock { state in
            state.isStopping = true
            return state.readers.values.compactMap(\.reader)
        }
        for reader in readers { reader.end() }
    }
}
