internal import Dispatch
internal import HalcyonCrypto
internal import Synchronization

/// Where passwords are hashed: one at a time, because each takes 64 MiB and a core, and off the cooperative pool. A line
/// that has grown too long to be worth standing in is closed.
final class PasswordLane: Sendable {
    /// Some seconds' worth.
    private let longestLine: Int
    private let waiting = Atomic<Int>(0)
    private let queue = DispatchQueue(label: "halcyon.passwords")
    /// What a password for an unknown account is compared with, so that the answer takes as long.
    private let decoy = Mutex<String?>(nil)

    init(longestLine: Int = 64) { self.longestLine = longestLine }

    func hash(_ password: String) async throws(RecordError) -> String {
        switch try await run({ Result { () throws(PasswordHash.OutOfMemory) in try PasswordHash.hash(password) } }) {
        case .success(let hash): return hash
        case .failure(let error): throw .database(code: 7, message: error.description)
        }
    }

    /// - Parameter hash: `nil` for an unknown account: never right, and no quicker.
    func verify(_ password: String, against hash: String?) async throws(RecordError) -> Bool {
        // Nobody has set a password this long; hashing it would only take time.
        guard password.utf8.count <= 4 * UserRules.passwordLength.upperBound else { return false }
        guard let hash else {
            let decoy = try await decoyHash()
            _ = try await run { PasswordHash.verify(password, against: decoy) }
            return false
        }
        return try await run { PasswordHash.verify(password, against: hash) }
    }

    private func decoyHash() async throws(RecordError) -> String {
        if let decoy = decoy.withLock({ $0 }) { return decoy }
        let made = try await hash("nobody's password")
        decoy.withLock { $0 = made }
        return made
    }

    func run<T: Sendable>(_ body: @escaping @Sendable () -> T) async throws(RecordError) -> T {
        defer { waiting.subtract(1, ordering: .relaxed) }
        guard waiting.add(1, ordering: .relaxed).newValue <= longestLine else { throw .busy }
        return await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }
}
