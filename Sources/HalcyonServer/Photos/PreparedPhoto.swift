internal import Foundation
internal import Glibc
internal import HalcyonStore

/// The answer to a hit as it was laid out in one second, kept with the entry. `Age` and `ttl` change by the second, so
/// it is laid out anew when the second has changed: at most once a second however many ask.
final class PreparedPhoto: Sendable {
    private let second: Int
    private let isNegotiated: Bool
    let response: PreparedResponse

    private init(second: Int, isNegotiated: Bool, response: PreparedResponse) {
        self.second = second
        self.isNegotiated = isNegotiated
        self.response = response
    }

    /// `nil` if memory is short.
    static func of(
        _ entry: CacheEntry, isNegotiated: Bool, second: Int, clientSeconds: @autoclosure () -> Int
    ) -> PreparedResponse? {
        if let kept = entry.attachment as? PreparedPhoto, kept.second == second, kept.isNegotiated == isNegotiated {
            return kept.response
        }
        let now = Date(timeIntervalSince1970: TimeInterval(second))
        guard
            let response = PhotoAnswer(
                hit: entry, isNegotiated: isNegotiated, now: now, clientSeconds: clientSeconds()
            ).whole.prepared
        else { return nil }
        entry.attachment = PreparedPhoto(second: second, isNegotiated: isNegotiated, response: response)
        return response
    }
}
