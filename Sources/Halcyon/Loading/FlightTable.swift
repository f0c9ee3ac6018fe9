internal import HalcyonStore
internal import Synchronization

/// The loads in progress, one for each thing that is being fetched.
final class FlightTable: Sendable {
    /// What makes two loads one.
    struct Key: Hashable {
        let cacheKey: CacheKey
        /// A load that refreshes does more than one that takes what is kept.
        let mode: ImageLoad.Mode
        /// One that asks only the caches fetches nothing for the others.
        let isCacheOnly: Bool
        /// Only one that keeps on disk can serve those who want that. Those who want it in memory besides see to it.
        let destination: ImageRequest.Destination
        /// A load begun before a purge does not answer a request made after it.
        let epoch: UInt64

        init(
            cacheKey: CacheKey, mode: ImageLoad.Mode, isCacheOnly: Bool, destination: ImageRequest.Destination,
            epoch: UInt64
        ) {
            self.cacheKey = cacheKey
            self.mode = mode
            self.isCacheOnly = isCacheOnly
            self.destination = destination == .disk ? .memoryAndDisk : destination
            self.epoch = epoch
        }
    }

    private let lanes: LoadLanes
    private let flights = Mutex<[Key: Flight]>([:])

    init(lanes: LoadLanes) { self.lanes = lanes }

    /// How many loads are in progress.
    var count: Int { flights.withLock { $0.count } }

    /// How many callers wait for them.
    var passengerCount: Int { flights.withLock { Array($0.values) }.reduce(0) { $0 + $1.passengerCount } }

    /// Joins the load of `key`, or begins it with `work`.
    ///
    /// - Returns: the outcome, and whether another caller had begun the load.
    func outcome(
        for key: Key,
        onProgress: Flight.ProgressHandler?,
        work: @escaping @Sendable (Flight) async -> Flight.Outcome
    ) async -> (outcome: Flight.Outcome, isFollower: Bool) {
        let (flight, id, isLeader) = board(key, onProgress: onProgress)
        if isLeader {
            // Not a child task: the leader may leave while others wait. It ends with its work, which the last one to
            // leave cancels.
            let task = Task.detached(executorPreference: lanes) {
                let outcome = await work(flight)
                self.remove(flight, for: key)
                flight.land(outcome)
            }
            flight.attach(task)
        }
        return (await flight.outcome(for: id), !isLeader)
    }

    private func board(_ key: Key, onProgress: Flight.ProgressHandler?) -> (Flight, id: Int, isLeader: Bool) {
        flights.withLock { flights in
            if let flight = flights[key], let id = flight.board(onProgress: onProgress) { return (flight, id, false) }
            let flight = Flight()
            flights[key] = flight
            guard let id = flight.board(onProgress: onProgress) else {
                preconditionFailure("a flight that nobody has left is not abandoned")
            }
            return (flight, id, true)
        }
    }

    private func remove(_ flight: Flight, for key: Key) {
        flights.withLock { flights in
            // An abandoned flight may have been replaced by a newer one.
            if flights[key] === flight { flights[key] = nil }
        }
    }
}
