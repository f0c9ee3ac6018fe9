internal import Synchronization

/// A load in progress and the callers that wait for it.
///
/// Every waiter is resumed once on every path: by the result, by its own cancellation, or at once if the flight has
/// landed already. A waiter that leaves takes nothing from the others; when the last one leaves, the load is cancelled.
/// The state is changed under the lock; continuations are resumed after it.
final class Flight: Sendable {
    typealias Outcome = Result<Landing, ImagePipeline.Error>
    typealias ProgressHandler = @Sendable (ImageRequest.Progress) -> Void

    /// What a flight brought.
    struct Landing: Sendable {
        let loaded: LoadedEntry
        /// Whether it may be given to callers other than the one that began the flight. An answer that the origin did not
        /// want stored is for one caller alone.
        let isShareable: Bool
    }

    private struct Passenger {
        var continuation: CheckedContinuation<Outcome, Never>?
        let onProgress: ProgressHandler?
    }

    private struct State {
        var passengers: [Int: Passenger] = [:]
        var nextID = 0
        var task: Task<Void, Never>?
        var outcome: Outcome?
        /// Set when the last passenger left: nobody may join any more.
        var isAbandoned = false
    }

    private let state = Mutex(State())

    /// A place in the flight, to be followed by ``outcome(for:)``. `nil` if it was abandoned: the caller begins another.
    func board(onProgress: ProgressHandler?) -> Int? {
        state.withLock { state in
            guard !state.isAbandoned else { return nil }
            let id = state.nextID
            state.nextID += 1
            state.passengers[id] = Passenger(onProgress: onProgress)
            return id
        }
    }

    /// Names the task that does the work. Cancels it if every passenger has left in the meantime.
    func attach(_ task: Task<Void, Never>) {
        let isAbandoned = state.withLock { state in
            if state.outcome == nil { state.task = task }
            return state.isAbandoned
        }
        if isAbandoned { task.cancel() }
    }

    /// Waits for the outcome. `.cancelled` as soon as the calling task is cancelled, whatever becomes of the flight.
    func outcome(for id: Int) async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let settled: Outcome? = state.withLock { state in
                    if let outcome = state.outcome { return outcome }
                    // A cancellation that came first has given the place up already.
                    guard state.passengers[id] != nil else { return .failure(.cancelled) }
                    state.passengers[id]?.continuation = continuation
                    return nil
                }
                if let settled { continuation.resume(returning: settled) }
            }
        } onCancel: {
            leave(id)
        }
    }

    private func leave(_ id: Int) {
        let (passenger, task) = state.withLock { state -> (Passenger?, Task<Void, Never>?) in
            guard state.outcome == nil, let passenger = state.passengers.removeValue(forKey: id) else {
                return (nil, nil)
            }
            guard state.passengers.isEmpty else { return (passenger, nil) }
            state.isAbandoned = true
            return (passenger, state.task)
        }
        task?.cancel()
        passenger?.continuation?.resume(returning: .failure(.cancelled))
    }

    var passengerCount: Int { state.withLock { $0.passengers.count } }

    func land(_ outcome: Outcome) {
        let passengers = state.withLock { state in
            state.outcome = outcome
            state.task = nil
            defer { state.passengers.removeAll() }
            return state.passengers
        }
        for passenger in passengers.values { passenger.continuation?.resume(returning: outcome) }
    }

    func report(_ progress: ImageRequest.Progress) {
        let handlers = state.withLock { $0.passengers.values.compactMap(\.onProgress) }
        for handler in handlers { handler(progress) }
    }
}
