internal import Foundation
internal import Synchronization

/// How often one address, and one account, may try to sign in: guessing is slow however many accounts or addresses are
/// used. Each attempt costs 64 MiB and a core for a while, so this also bounds that.
final class SignInLimiter: Sendable {
    static let window: TimeInterval = 60
    static let attemptsPerAccount = 10
    static let attemptsPerAddress = 30
    /// Above this the oldest windows are forgotten.
    static let maximumKeys = 10_000

    private struct Window {
        var start: Date
        var count: Int
    }

    private enum Key: Hashable {
        case address(String)
        case account(String)
    }

    private let windows = Mutex<[Key: Window]>([:])
    private let now: @Sendable () -> Date

    init(now: @escaping @Sendable () -> Date) {
        self.now = now
    }

    /// - Throws: 429 with `Retry-After`.
    func admit(address: String, account: String?) throws(Problem) {
        let now = now()
        let account = account.map { Key.account($0.lowercased().trimmingCharacters(in: .whitespaces)) }
        let wait = windows.withLock { windows in
            if windows.count >= Self.maximumKeys {
                windows = windows.filter { now.timeIntervalSince($0.value.start) < Self.window }
                if windows.count >= Self.maximumKeys { windows = [:] }
            }
            let ofAddress = Self.wait(&windows, .address(address), Self.attemptsPerAddress, now)
            let ofAccount = account.map { Self.wait(&windows, $0, Self.attemptsPerAccount, now) } ?? 0
            return max(ofAddress, ofAccount)
        }
        guard wait > 0 else { return }
        let seconds = Int(wait.rounded(.up))
        throw Problem(
            429, .tooManyRequests, "too many attempts; try again in \(seconds) s",
            fields: [("Retry-After", "\(seconds)")])
    }

    /// Counts an attempt and says how long until there may be another; 0 if this one may go on.
    private static func wait(_ windows: inout [Key: Window], _ key: Key, _ limit: Int, _ now: Date) -> TimeInterval {
        var window = windows[key] ?? Window(start: now, count: 0)
        if now.timeIntervalSince(window.start) >= Self.window { window = Window(start: now, count: 0) }
        window.count += 1
        windows[key] = window
        return window.count > limit ? max(1, Self.window - now.timeIntervalSince(window.start)) : 0
    }
}
