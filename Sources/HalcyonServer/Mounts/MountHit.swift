internal import Foundation
internal import HalcyonHTTP
internal import HalcyonStore

/// The answer to a plain hit on a mount as it was laid out in one second, kept with the entry: `Age` changes by the second.
final class MountHit: Sendable {
    private let second: Int
    let status: Int
    let response: PreparedResponse

    private init(second: Int, status: Int, response: PreparedResponse) {
        self.second = second
        self.status = status
        self.response = response
    }

    /// `nil` if the entry is no response that any request may have, or memory is short.
    static func of(_ entry: CacheEntry, second: Int) -> MountHit? {
        if let kept = entry.attachment as? MountHit, kept.second == second { return kept }
        guard let head = entry.metadata.responseHead, let stored = StoredResponse(encoded: head),
            stored.varyNames.isEmpty, stored.range == nil
        else { return nil }
        let now = Date(timeIntervalSince1970: TimeInterval(second))
        let left = entry.metadata.expiresAt.map { Int($0.timeIntervalSince(now)) }
        let answer = MountAnswer.stored(
            ResponseShelf.Item(entry: entry, response: stored, isFromMemory: true), method: "GET", request: [],
            status: CacheStatus(.hit, timeToLive: left), source: .memory, now: now)
        guard let response = answer.prepared else { return nil }
        let hit = MountHit(second: second, status: answer.status, response: response)
        entry.attachment = hit
        return hit
    }
}
