internal import Foundation
internal import Glibc
internal import Synchronization

/// How often passwords may be tried: guessing is slow however many accounts or addresses are used.
///
/// In each window an account takes ten wrong passwords and an address thirty, whichever is used up first. Where the account
/// has been signed in to from an address before, that address has a count of its own, so that strangers who try the
/// account's password do not shut out its owner. Only what has been found wrong stays counted; a right password clears the
/// count of its account. Nothing is locked for longer than a window.
final class SignInLimiter: Sendable {
    static let window: TimeInterval = 60
    static let attemptsPerAccount = 10
    static let attemptsPerAddress = 30
    static let signUpsPerAddress = 30
    /// Above this the older half is forgotten.
    static let maximumKeys = 10_000

    /// One try that was let in. It stays counted unless it says otherwise.
    struct Attempt: Sendable {
        fileprivate let limiter: SignInLimiter
        fileprivate let keys: [Key]
        fileprivate let pair: Key?

        /// The password was right.
        func succeed() { limiter.succeed(self) }
        /// It came to no check of the password.
        func withdraw() { limiter.withdraw(keys) }
    }

    fileprivate enum Key: Hashable {
        case address(String)
        case signUp(String)
        case account(String)
        case pair(String, String)
    }

    private struct Window {
        var start: Date
        var count: Int
    }

    private struct State {
        var windows: [Key: Window] = [:]
        /// Accounts with the addresses from which they have been signed in to, and when last.
        var known: [Key: Date] = [:]

        mutating func takeBack(_ key: Key) {
            // A window may have begun since.
            guard let count = windows[key]?.count, count > 0 else { return }
            windows[key]?.count = count - 1
        }
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Date

    init(now: @escaping @Sendable () -> Date) {
        self.now = now
    }

    var rememberedCount: Int { state.withLock { $0.windows.count + $0.known.count } }

    /// - Throws: 429 with `Retry-After`; such a try is not counted.
    func beginSignIn(address: String, account: String) throws(Problem) -> Attempt {
        let group = Self.group(of: address)
        let name = account.lowercased().trimmingCharacters(in: .whitespacesAndNewlines)
        let pair = Key.pair(name, group)
        let isKnown = state.withLock { $0.known[pair] != nil }
        let counts = [
            (Key.address(group), Self.attemptsPerAddress),
            (isKnown ? pair : .account(name), Self.attemptsPerAccount),
        ]
        return Attempt(limiter: self, keys: try count(counts), pair: pair)
    }

    /// Each account made counts, and each address that was taken.
    ///
    /// - Throws: 429 with `Retry-After`.
    func beginSignUp(address: String) throws(Problem) -> Attempt {
        let key = Key.signUp(Self.group(of: address))
        return Attempt(limiter: self, keys: try count([(key, Self.signUpsPerAddress)]), pair: nil)
    }

    private func count(_ limits: [(key: Key, limit: Int)]) throws(Problem) -> [Key] {
        let now = now()
        let wait = state.withLock { state in
            state.windows.makeRoom(below: Self.maximumKeys) { $0.start }
            let waits = limits.map { key, limit -> TimeInterval in
                guard let window = state.windows[key], case let age = now.timeIntervalSince(window.start),
                    (0..<Self.window).contains(age)
                else {
                    state.windows[key] = Window(start: now, count: 0)
                    return 0
                }
                return window.count < limit ? 0 : Self.window - age
            }
            let wait = waits.max() ?? 0
            if wait == 0 { for (key, _) in limits { state.windows[key]?.count += 1 } }
            return wait
        }
        guard wait == 0 else {
            let seconds = Int(wait.rounded(.up))
            throw Problem(
                429, .tooManyRequests, "too many attempts; try again in \(seconds) s",
                fields: [("Retry-After", "\(seconds)")])
        }
        return limits.map(\.key)
    }

    private func withdraw(_ keys: [Key]) {
        state.withLock { state in
            for key in keys { state.takeBack(key) }
        }
    }

    private func succeed(_ attempt: Attempt) {
        guard let pair = attempt.pair, case .pair(let name, let group) = pair else { return }
        let now = now()
        state.withLock { state in
            state.takeBack(.address(group))
            state.windows[.account(name)] = nil
            state.windows[pair] = nil
            state.known.makeRoom(below: Self.maximumKeys) { $0 }
            state.known[pair] = now
        }
    }

    /// The address itself, or of IPv6 the network of 64 bits: a household has all of that.
    private static func group(of address: String) -> String {
        var bytes = in6_addr()
        guard inet_pton(AF_INET6, address, &bytes) == 1 else { return address }
        let groups = withUnsafeBytes(of: bytes) { Array($0) }
        // IPv4 as a socket for both kinds gives it: ::ffff:10.0.0.1.
        let isMapped = groups.prefix(10).allSatisfy { $0 == 0 } && groups[10] == 0xFF && groups[11] == 0xFF
        return (isMapped ? groups.suffix(4) : groups.prefix(8)).map(String.init).joined(separator: isMapped ? "." : ",")
    }
}

extension Dictionary {
    /// Forgets the older half once there are `limit`.
    fileprivate mutating func makeRoom(below limit: Int, age: (Value) -> Date) {
        guard count >= limit else { return }
        let kept = sorted { age($0.value) > age($1.value) }.prefix(limit / 2)
        self = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
    }
}
