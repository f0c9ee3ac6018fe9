/// A change that waits for the next commit. Reads of this process see it already.
final class PendingWrite: Sendable {
    struct File: Sendable {
        let name: ObjectName
        let size: Int
    }

    let key: CacheKey
    let metadata: EntryMetadata
    /// `nil` for a refresh, which leaves the file as it is.
    let file: File?
    /// The purges that were known when the fetch began.
    let generation: UInt64
    let completion: (@Sendable (StoreOutcome) -> Void)?

    init(
        key: CacheKey, metadata: EntryMetadata, file: File?, generation: UInt64,
        completion: (@Sendable (StoreOutcome) -> Void)?
    ) {
        self.key = key
        self.metadata = metadata
        self.file = file
        self.generation = generation
        self.completion = completion
    }
}
