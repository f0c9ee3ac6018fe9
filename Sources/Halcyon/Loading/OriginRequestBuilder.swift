internal import Foundation
internal import HalcyonHTTP
internal import HalcyonStore

/// Turns a resolved request into what the fetcher sends.
struct OriginRequestBuilder {
    let url: CanonicalURL
    let request: ResolvedRequest
    let settings: Settings

    func fetchRequest(
        revalidating kept: CacheEntry?, onProgress: (@Sendable (ImageRequest.Progress) -> Void)?
    ) async throws(ImagePipeline.Error) -> FetchRequest {
        var url = url
        var fields = HTTPFields()
        if let modifier = request.options.requestModifier {
            var draft = ImageRequest.OriginRequest(url: url.text, fields: [:])
            await modifier.modify(&draft)
            guard !Task.isCancelled else { throw .cancelled }
            if draft.url != url.text { url = try ResolvedRequest.canonicalURL(draft.url) }
            for (name, value) in draft.fields.sorted(by: { $0.key < $1.key }) { fields[name] = value }
        }
        if let metadata = kept?.metadata {
            fields["If-None-Match"] = metadata.originEntityTag
            fields["If-Modified-Since"] = metadata.originLastModified
        }
        var fetch = FetchRequest(
            url: url,
            fields: fields,
            priority: request.options.priority == .interactive ? .interactive : .prefetch,
            timeout: request.options.timeout,
            maximumBodyBytes: settings.configuration.limits.maximumImageBytes,
            onProgress: Self.fetchProgress(onProgress)
        )
        fetch.acceptsContent = Self.mayBeImage
        return fetch
    }

    private static func fetchProgress(
        _ onProgress: (@Sendable (ImageRequest.Progress) -> Void)?
    ) -> (@Sendable (FetchProgress) -> Void)? {
        guard let onProgress else { return nil }
        return { onProgress(.init(completedBytes: $0.receivedBytes, totalBytes: $0.expectedBytes)) }
    }

    /// Refuses at the header what can never be an image, before its body costs anything: an endless camera stream above
    /// all. A wrong or missing type on a real image is no reason; the bytes decide.
    private static let mayBeImage: @Sendable (HTTPFields, Int) -> Bool = { fields, status in
        guard status == 200, let type = fields["Content-Type"]?.lowercased() else { return true }
        return !["multipart/", "video/", "audio/", "text/event-stream"].contains { type.hasPrefix($0) }
    }
}
