internal import HalcyonHTTP
internal import Synchronization

/// Requests whose answer is being made by a task. They must be finished before the daemon may stop, and their tasks are
/// cancelled when nobody waits for them any more.
final class PendingExchanges: Sendable {
    private struct State {
        var tasks: [ObjectIdentifier: (exchange: Exchange, task: Task<Void, Never>)] = [:]
        var isStopping = false
    }

    private let state = Mutex(State())

    var isEmpty: Bool { state.withLock { $0.tasks.isEmpty } }

    /// - Parameter prepare: suspends what has to wait, before the answer can be there.
    /// - Returns: `false` if the server stops: then nothing has begun.
    func begin(
        _ exchange: Exchange, _ prepare: () -> Void, answering answer: @escaping @Sendable () async -> HTTPAnswer
    ) -> Bool {
        state.withLock { state in
            guard !state.isStopping else { return false }
            prepare()
            let id = ObjectIdentifier(exchange)
            let task = Task { [self] in
                let answer = await answer()
                // The stop may have answered meanwhile: then nobody reads a body that has yet to come.
                if !exchange.finish(with: answer) { answer.discard() }
                self.state.withLock { $0.tasks[id] = nil }
            }
            state.tasks[id] = (exchange, task)
            return true
        }
    }

    /// Cancels what is made for clients that have left. What changes something is finished all the same, and what goes to a
    /// mount too: others may wait for what it brings.
    func cancelAbandoned() {
        let abandoned = state.withLock { state in
            state.tasks.values.filter { exchange, _ in
                switch exchange.method {
                case .get, .head: exchange.mount == nil && exchange.connection.isLeft
                case .other: false
                }
            }
        }
        for (_, task) in abandoned { task.cancel() }
    }

    /// Finishes what is under way with `answer` and cancels its making; nothing begins from now on.
    func stop(answeringWith answer: HTTPAnswer) {
        let pending = state.withLock { state in
            state.isStopping = true
            return Array(state.tasks.values)
        }
        for (exchange, task) in pending {
            // A body that waits for room waits no longer: no connection may be suspended when the daemon stops.
            exchange.pipe?.abandon()
            exchange.finish(with: answer)
            task.cancel()
        }
    }
}
