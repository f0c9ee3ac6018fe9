extension ImagePrefetcher {
    /// What became of one item.
    public enum Outcome: Sendable, Hashable {
        case fetched(bytes: Int)
        /// The origin said that the kept copy still holds.
        case revalidated(bytes: Int)
        case alreadyFresh(bytes: Int)
        /// The item has no image.
        case noPhoto
        /// Fetched, but neither disk nor memory took it.
        case notKept(bytes: Int)
        case failed(ImagePipeline.Error)
        case cancelled
    }

    /// What became of all items.
    public struct Summary: Sendable, Hashable {
        /// An item that should have an image and was not had.
        public struct Failure: Sendable, Hashable {
            public let id: String
            public let error: ImagePipeline.Error
        }

        public private(set) var fetched = 0
        public private(set) var revalidated = 0
        public private(set) var alreadyFresh = 0
        public private(set) var noPhoto = 0
        public private(set) var notKept = 0
        public private(set) var cancelled = 0
        /// Bytes that came from origins.
        public private(set) var fetchedBytes = 0
        public private(set) var failures: [Failure] = []

        public init() {}

        /// The number of items.
        public var total: Int {
            fetched + revalidated + alreadyFresh + noPhoto + notKept + cancelled + failures.count
        }

        /// Whether every item that should have an image has one in the cache now.
        public var isComplete: Bool { failures.isEmpty && notKept == 0 && cancelled == 0 }

        /// The failures of one kind: for reports that tell a missing photo from a slow origin.
        public func failures(of kind: ImagePipeline.Error.Kind) -> [Failure] {
            failures.filter { $0.error.kind == kind }
        }

        public mutating func add(_ outcome: Outcome, for item: Item) {
            switch outcome {
            case .fetched(let bytes):
                fetched += 1
                fetchedBytes += bytes
            case .revalidated: revalidated += 1
            case .alreadyFresh: alreadyFresh += 1
            case .noPhoto: noPhoto += 1
            case .notKept(let bytes):
                notKept += 1
                fetchedBytes += bytes
            case .failed(let error): failures.append(Failure(id: item.id, error: error))
            case .cancelled: cancelled += 1
            }
        }

        /// Counts `count` items as not kept that were taken for fetched.
        mutating func noteLost(_ count: Int) {
            let lost = min(max(0, count), fetched)
            fetched -= lost
            notKept += lost
        }

        public mutating func merge(_ other: Summary) {
            fetched += other.fetched
            revalidated += other.revalidated
            alreadyFresh += other.alreadyFresh
            noPhoto += other.noPhoto
            notKept += other.notKept
            cancelled += other.cancelled
            fetchedBytes += other.fetchedBytes
            failures += other.failures
        }
    }
}
