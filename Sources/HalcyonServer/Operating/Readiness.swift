internal import Synchronization

/// Whether the server has begun to stop.
final class Readiness: Sendable {
    private let stopping = Atomic<Bool>(false)

    var isStopping: Bool { stopping.load(ordering: .acquiring) }

    func beginStopping() {
        stopping.store(true, ordering: .releasing)
    }
}
