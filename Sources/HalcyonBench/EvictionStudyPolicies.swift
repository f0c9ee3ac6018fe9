/// A full cache's rule for what goes. Every access that misses inserts.
protocol EvictionPolicy: AnyObject {
    /// Returns whether the photo was there.
    func access(_ photo: Int) -> Bool
}

enum EvictionPolicyKind: String, CaseIterable {
    case leastRecentlyUsed = "LRU"
    case sieve = "SIEVE"
    case s3FIFO = "S3-FIFO"

    func make(capacity: Int) -> any EvictionPolicy {
        switch self {
        case .leastRecentlyUsed: LeastRecentlyUsed(capacity: capacity)
        case .sieve: Sieve(capacity: capacity)
        case .s3FIFO: S3FIFO(capacity: capacity)
        }
    }
}

/// The entry whose last use is longest ago goes. A hit moves it to the front.
final class LeastRecentlyUsed: EvictionPolicy {
    private let capacity: Int
    private var lastUse: [Int: Int] = [:]
    /// Uses in order; those that are not an entry's last are skipped.
    private var uses: [Int] = []
    private var oldest = 0

    init(capacity: Int) { self.capacity = capacity }

    func access(_ photo: Int) -> Bool {
        let isHit = lastUse[photo] != nil
        if !isHit, lastUse.count == capacity { evict() }
        lastUse[photo] = uses.count
        uses.append(photo)
        return isHit
    }

    private func evict() {
        while lastUse[uses[oldest]] != oldest { oldest += 1 }
        lastUse[uses[oldest]] = nil
    }
}

/// Zhang et al., "SIEVE is simpler than LRU", NSDI 2024. A hit sets a bit.
final class Sieve: EvictionPolicy {
    private let capacity: Int
    private var isVisited: [Int: Bool] = [:]
    /// Oldest first.
    private var queue: [Int] = []
    private var hand = 0

    init(capacity: Int) { self.capacity = capacity }

    func access(_ photo: Int) -> Bool {
        if isVisited[photo] != nil {
            isVisited[photo] = true
            return true
        }
        if queue.count == capacity { evict() }
        queue.append(photo)
        isVisited[photo] = false
        return false
    }

    private func evict() {
        if hand >= queue.count { hand = 0 }
        while isVisited[queue[hand]] == true {
            isVisited[queue[hand]] = false
            hand = (hand + 1) % queue.count
        }
        isVisited[queue.remove(at: hand)] = nil
    }
}

/// Yang et al., "FIFO queues are all you need for cache eviction", SOSP 2023: a small queue that one-time entries leave
/// quickly, a main queue with second chances, and the names of those that left the small queue lately.
final class S3FIFO: EvictionPolicy {
    private let capacity: Int
    private let smallCapacity: Int
    private var uses: [Int: Int] = [:]
    private var small: [Int] = []
    private var main: [Int] = []
    private var ghosts: [Int] = []

    init(capacity: Int) {
        self.capacity = capacity
        self.smallCapacity = max(1, capacity / 10)
    }

    func access(_ photo: Int) -> Bool {
        if let count = uses[photo] {
            uses[photo] = min(count + 1, 3)
            return true
        }
        while small.count + main.count >= capacity {
            if small.count >= smallCapacity || main.isEmpty { evictSmall() } else { evictMain() }
        }
        if let ghost = ghosts.firstIndex(of: photo) {
            ghosts.remove(at: ghost)
            main.append(photo)
        } else {
            small.append(photo)
        }
        uses[photo] = 0
        return false
    }

    private func evictSmall() {
        let photo = small.removeFirst()
        if uses[photo, default: 0] > 1 {
            uses[photo] = 0
            main.append(photo)
        } else {
            uses[photo] = nil
            ghosts.append(photo)
            if ghosts.count > capacity - smallCapacity { ghosts.removeFirst() }
        }
    }

    private func evictMain() {
        while true {
            let photo = main.removeFirst()
            let count = uses[photo, default: 0]
            guard count > 0 else {
                uses[photo] = nil
                return
            }
            uses[photo] = count - 1
            main.append(photo)
        }
    }
}
