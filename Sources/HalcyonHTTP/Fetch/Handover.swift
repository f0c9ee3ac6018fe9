internal import Synchronization

/// Carries a value that one thread makes and another takes, once.
final class Handover<Value>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: sending Value?) { self.value = Mutex(value) }

    func take() -> sending Value? {
        value.withLock { value in
            var taken: Value?
            swap(&taken, &value)
            return taken
        }
    }
}
