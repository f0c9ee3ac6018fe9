package import HalcyonRecords
internal import Synchronization

/// Carries word of changed records from the store, which is made first, to the server, which is made with it.
package final class ChangeRelay: Sendable {
    private let receiver = Mutex<(@Sendable ([RecordChange]) -> Void)?>(nil)

    package init() {}

    /// To be given to the store: `RecordStore(path: …, onChange: relay.send)`.
    package func send(_ changes: [RecordChange]) {
        let receiver = receiver.withLock { $0 }
        receiver?(changes)
    }

    func receive(_ body: @escaping @Sendable ([RecordChange]) -> Void) {
        receiver.withLock { $0 = body }
    }
}
