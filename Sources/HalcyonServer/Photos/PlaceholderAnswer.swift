internal import Foundation
internal import Halcyon
internal import HalcyonCrypto
internal import HalcyonHTTP
internal import HalcyonStore

/// Lays out the answers that stand in for a photo. The bytes never get near the cache of photos.
struct PlaceholderAnswer {
    private let policy: PlaceholderPolicy
    private let bytes: EntryBytes
    private let entityTag: String

    init(_ policy: PlaceholderPolicy) {
        self.policy = policy
        bytes = EntryBytes(copying: policy.image.bytes)
        entityTag = "\"placeholder-" + Digest(of: policy.image.bytes).hex.prefix(20) + "\""
    }

    /// - Parameters:
    ///   - isWanted: `false` for `?placeholder=none`.
    ///   - longestSeconds: for how long the request itself may be repeated, as for a signed URL.
    func answer(
        to failure: PhotoFailure, method: String, fields: HTTPFields, isWanted: Bool, now: Date,
        longestSeconds: Int = .max
    ) -> HTTPAnswer {
        let cacheStatus = CacheStatus(
            failure.wasForwarded ? .forwarded(.uriMiss) : .local, detail: failure.token
        ).description
        // What ends sooner than the policy thinks is not kept beyond its end.
        let seconds = max(0, min(policy.maximumAgeSeconds, failure.secondsLeft ?? .max, longestSeconds))
        let always = [
            ("Cache-Control", seconds == 0 ? "no-cache" : "max-age=\(seconds)"), ("Cache-Status", cacheStatus),
            ("Halcyon-Reason", failure.token),
        ]
        guard isWanted, policy.causes.contains(failure.cause) else {
            return RecordsAnswer.failure(failure.status, failure.code, failure.message).with(always).of(.photo)
        }
        let kept = always + [("Age", "0"), ("ETag", entityTag), ("X-Halcyon-Placeholder", failure.placeholderKind)]
        let status = policy.status == .ok ? 200 : failure.status
        if status == 200 {
            let outcome = Preconditions.evaluate(
                method: method, fields: fields, entityTag: EntityTag(entityTag), lastModified: nil, now: now)
            switch outcome {
            case .notModified: return answer(304, kept)
            case .failed:
                return PhotoAnswer.preconditionFailed.of(.photo, .placeholder)
            case .proceed: break
            }
        }
        return answer(
            status,
            kept + [
                ("Content-Type", policy.image.contentType),
                ("Content-Disposition", "inline; filename=\"placeholder\""),
            ])
    }

    private func answer(_ status: Int, _ fields: [(String, String)]) -> HTTPAnswer {
        HTTPAnswer(status: status, fields: fields, body: .entry(bytes, 0..<bytes.count)).of(.photo, .placeholder)
    }
}
