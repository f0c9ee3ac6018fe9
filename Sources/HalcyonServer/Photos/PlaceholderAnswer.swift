internal import Foundation
internal import Halcyon
internal import HalcyonHTTP
internal import HalcyonImage
internal import HalcyonStore

/// Lays out the answers that stand in for a photo. The bytes never get near the cache of photos.
struct PlaceholderAnswer {
    private let policy: PlaceholderPolicy
    private let original: PlaceholderPicture
    private let pictures = PlaceholderPictures()

    init(_ policy: PlaceholderPolicy) {
        self.policy = policy
        original = PlaceholderPicture(policy.image.bytes, contentType: policy.image.contentType)
    }

    var showsInitials: Bool { policy.drawing == .initials }

    /// - Parameter name: of the student, for initials.
    func picture(
        of name: String?, as variant: ImageVariant, accepted: String?, pipeline: ImagePipeline
    ) async throws(ImagePipeline.Error) -> PlaceholderPicture {
        let accept = AcceptedFormats(accepted)
        if policy.drawing == .file {
            guard !variant.isOriginal else { return original }
            let source: VariantSource
            do throws(ImageError) { source = try VariantSource(policy.image.bytes) } catch { return original }
            // What has no decoder is shown as it is.
            guard VariantRenderer.decodable.contains(source.info.format) else { return original }
            let resolved = variant.parameters.resolved(accept: accept, source: source)
            return try await pictures.picture("file " + resolved.key) { () async throws(ImagePipeline.Error) in
                try await pipeline.render(policy.image.bytes, as: resolved)
            }
        }
        let drawing = showsInitials ? name.map(PlaceholderDrawing.initials) ?? .silhouette : .silhouette
        if variant.isOriginal, drawing == .silhouette { return original }
        let resolved = variant.parameters.resolved(accept: accept, source: Placeholder.source)
        return try await pictures.picture("\(drawing.key) \(resolved.key)") { () async throws(ImagePipeline.Error) in
            try await pipeline.draw { (performer) throws(RenderError) in
                try Placeholder.rendered(drawing, as: resolved, by: performer)
            }
        }
    }

    /// - Parameters:
    ///   - isWanted: `false` for `?placeholder=none`.
    ///   - longestSeconds: for how long the request itself may be repeated, as for a signed URL.
    func answer(
        to failure: PhotoFailure, with picture: PlaceholderPicture, isNegotiated: Bool = false, method: String,
        fields: HTTPFields, isWanted: Bool, now: Date, longestSeconds: Int = .max
    ) -> HTTPAnswer {
        let cacheStatus = CacheStatus(
            failure.wasForwarded ? .forwarded(.uriMiss) : .local, detail: failure.token
        ).description
        // What ends sooner than the policy thinks is not kept beyond its end.
        let seconds = max(0, min(policy.maximumAgeSeconds, failure.secondsLeft ?? .max, longestSeconds))
        let always =
            [
                ("Cache-Control", seconds == 0 ? "no-cache" : "max-age=\(seconds)"), ("Cache-Status", cacheStatus),
                ("Halcyon-Reason", failure.token),
            ] + (isNegotiated ? [("Vary", "Accept")] : [])
        guard isWanted, policy.causes.contains(failure.cause) else {
            return RecordsAnswer.failure(failure.status, failure.code, failure.message).with(always).of(.photo)
        }
        let kept =
            always + [("Age", "0"), ("ETag", picture.entityTag), ("X-Halcyon-Placeholder", failure.placeholderKind)]
        let status = policy.status == .ok ? 200 : failure.status
        if status == 200 {
            let outcome = Preconditions.evaluate(
                method: method, fields: fields, entityTag: EntityTag(picture.entityTag), lastModified: nil, now: now)
            switch outcome {
            case .notModified: return answer(304, kept, picture)
            case .failed:
                return PhotoAnswer.preconditionFailed.of(.photo, .placeholder)
            case .proceed: break
            }
        }
        return answer(
            status,
            kept + [
                ("Content-Type", picture.contentType),
                ("Content-Disposition", "inline; filename=\"placeholder\""),
            ], picture)
    }

    private func answer(_ status: Int, _ fields: [(String, String)], _ picture: PlaceholderPicture) -> HTTPAnswer {
        HTTPAnswer(status: status, fields: fields, body: .entry(picture.bytes, 0..<picture.bytes.count)).of(
            .photo, .placeholder)
    }
}
