internal import Dispatch
internal import Synchronization

/// A value that tests and the threads of an origin can wait on without polling.
///
/// Waiters are woken by the change that makes their condition hold, once the lock is free.
package final class Watched<Value: Sendable>: Sendable {
    private enum Wake: Sendable {
        case task(CheckedContinuation<Void, Never>)
        case thread(DispatchSemaphore)

        func callAsFunction() {
            switch self {
            case .task(let continuation): continuation.resume()
            case .thread(let semaphore): semaphore.signal()
            }
        }
    }

    private struct Waiter: Sendable {
        let id: Int
        let condition: @Sendable (Value) -> Bool
        let wake: Wake
    }

    private struct State: Sendable {
        var value: Value
        var waiters: [Waiter] = []
        var nextID = 0
        var cancelled: Set<Int> = []
    }

    private let state: Mutex<State>

    package init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    package var value: Value { state.withLock { $0.value } }

    /// Changes the value and wakes everyone whose condition now holds.
    @discardableResult
    package func update<Result: Sendable>(_ change: @Sendable (inout Value) -> Result) -> Result {
        let (result, woken) = state.withLock { state -> (Result, [Waiter]) in
            let result = change(&state.value)
            guard !state.waiters.isEmpty else { return (result, []) }
            let value = state.value
            let woken = state.waiters.filter { $0.condition(value) }
            if !woken.isEmpty { state.waiters.removeAll { waiter in woken.contains { $0.id == waiter.id } } }
            return (result, woken)
        }
        for waiter in woken { waiter.wake() }
        return result
    }

    /// Returns once the condition holds, or when the task is cancelled (a test's time limit).
    package func wait(until condition: @escaping @Sendable (Value) -> Bool) async {
        let id = newID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                add(Waiter(id: id, condition: condition, wake: .task(continuation)))
            }
        } onCancel: {
            let waiter = state.withLock { state -> Waiter? in
                guard let index = state.waiters.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil
                }
                return state.waiters.remove(at: index)
            }
            waiter?.wake()
        }
    }

    /// Blocks the calling thread until the condition holds. For threads of a ``ScriptedOrigin``, never from a task.
    package func waitBlocking(until condition: @escaping @Sendable (Value) -> Bool) {
        let semaphore = DispatchSemaphore(value: 0)
        add(Waiter(id: newID(), condition: condition, wake: .thread(semaphore)))
        semaphore.wait()
    }

    private func newID() -> Int {
        state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
    }

    private func add(_ waiter: Waiter) {
        let holds = state.withLock { state -> Bool in
            if state.cancelled.remove(waiter.id) != nil || waiter.condition(state.value) { return true }
            state.waiters.append(waiter)
            return false
        }
        if holds { waiter.wake() }
    }
}
