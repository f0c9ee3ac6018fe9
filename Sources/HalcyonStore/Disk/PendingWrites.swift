/// Changes on their way into the index, in order. Pure state; the cache holds the lock and acts.
struct PendingWrites {
    /// A commit takes this many or waits ``delayMilliseconds`` for them, unless somebody waits for the commit.
    static let batchSize = 256
    static let delayMilliseconds = 50
    /// Above this the writers wait for a commit.
    static let limit = 1_024

    enum Flush {
        case none, now, later
    }

    private var waiting: [PendingWrite] = []
    private var newest: [CacheKey: PendingWrite] = [:]
    private var scheduled = Flush.none

    var isFull: Bool { waiting.count >= Self.limit }

    func write(for key: CacheKey) -> PendingWrite? { newest[key] }

    /// Adds a write and says whether a commit has to be scheduled for it.
    mutating func append(_ write: PendingWrite) -> Flush {
        waiting.append(write)
        if write.file == nil, let file = newest[write.key]?.file {
            // A refresh of an entry that is itself on its way: readers need the file of the one, the times of the other.
            newest[write.key] = PendingWrite(
                key: write.key, metadata: write.metadata, file: file, generation: write.generation, completion: nil)
        } else {
            newest[write.key] = write
        }
        if write.completion != nil || waiting.count >= Self.batchSize {
            if case .now = scheduled { return .none }
            scheduled = .now
            return .now
        }
        guard case .none = scheduled else { return .none }
        scheduled = .later
        return .later
    }

    mutating func take() -> [PendingWrite] {
        scheduled = .none
        defer { waiting = [] }
        return waiting
    }

    /// The writes are in the index: reads find them there, unless a later one of the same key is on its way.
    mutating func finish(_ writes: [PendingWrite]) {
        let keysWaiting = Set(waiting.map(\.key))
        for write in writes where !keysWaiting.contains(write.key) { newest[write.key] = nil }
    }
}
