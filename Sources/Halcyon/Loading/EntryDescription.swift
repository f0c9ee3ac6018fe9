internal import Foundation
internal import HalcyonCrypto
internal import HalcyonHTTP
internal import HalcyonImage
internal import HalcyonStore

/// Says of what was received whether it is an image, and what is to be kept beside its bytes.
struct EntryDescription {
    let request: ResolvedRequest
    let settings: Settings

    struct Metadata {
        let entry: EntryMetadata
        let isStorable: Bool
        let isShareable: Bool
    }

    /// - Throws: a reason of the `4xxx` group if the bytes are not a whole image within the limits.
    func metadata(for response: ReceivedImage) throws(ImagePipeline.Error) -> Metadata {
        let info: ImageInfo
        do throws(ImageError) {
            info = try ImageProbe.probe(response.body, limits: settings.imageLimits)
        } catch {
            throw ImagePipeline.Error(error)
        }
        let stored = stored(response)
        let isKept = !request.expiration(settings).isUnkept && request.options.destination != .none
        let mayBeKept = isKept && (request.expiration(settings) != .origin || isStorable(stored))
        var entry = EntryMetadata(
            contentType: info.format.contentType,
            pixelWidth: info.pixelWidth,
            pixelHeight: info.pixelHeight,
            host: request.host,
            tags: request.options.tags,
            originEntityTag: response.fields["ETag"],
            originLastModified: response.fields["Last-Modified"],
            storedAt: response.responseTime,
            expiresAt: nil,
            digest: Digest(of: response.body),
            byteCount: response.body.count
        )
        describe(stored, in: &entry)
        return Metadata(entry: entry, isStorable: mayBeKept, isShareable: mayBeKept)
    }

    /// What holds after the origin said that the copy still does (RFC 9111 §4.3.4): validators that the 304 brings
    /// replace the kept ones, and freshness starts anew.
    func refreshed(_ kept: EntryMetadata, by response: ReceivedImage) -> EntryMetadata {
        var metadata = kept
        if let tag = response.fields["ETag"] { metadata.originEntityTag = tag }
        if let date = response.fields["Last-Modified"] { metadata.originLastModified = date }
        metadata.storedAt = response.responseTime
        // A 304 changes what it carries and nothing else: where it says nothing of freshness, what the stored answer
        // said goes on to hold.
        let new = stored(response)
        let fresh = kept.responseHead.flatMap { StoredResponse(encoded: $0) }?.freshened(
            by: new.fields, requestTime: new.requestTime, responseTime: new.responseTime)
        let saidSo = kept.mayServeStale
        describe(fresh ?? new, in: &metadata)
        if fresh == nil, !response.fields.contains("Cache-Control") { metadata.mayServeStale = saidSo }
        metadata.tags = Array(Set(kept.tags).union(request.options.tags)).sorted()
        return metadata
    }

    /// What the rules of a cache read; nothing else of an origin's header is kept.
    private static let ruling: Set = [
        "age", "cache-control", "cdn-cache-control", "date", "etag", "expires", "last-modified", "vary",
    ]

    private func stored(_ response: ReceivedImage) -> StoredResponse {
        var fields = Intermediary.endToEnd(response.fields)
        fields.lines.removeAll { !Self.ruling.contains($0.name.lowercased()) }
        return StoredResponse(
            status: 200, fields: fields, requestTime: response.requestTime, responseTime: response.responseTime)
    }

    /// By the rules of a shared cache; what says nothing of its lifetime has the configured one.
    private func isStorable(_ stored: StoredResponse) -> Bool {
        let decision = Storability.decide(
            method: "GET", request: [], status: stored.status, fields: stored.fields, policy: Self.policy,
            responseTime: stored.responseTime)
        return switch decision {
        case .store, .refuse(.unusable): true
        case .refuse: false
        }
    }

    private static let policy = SharedCachePolicy()

    /// How old it came, how long it holds, and what may be done with it then.
    private func describe(_ stored: StoredResponse, in metadata: inout EntryMetadata) {
        let isOrigins = request.expiration(settings) == .origin
        let control = isOrigins ? Self.policy.directives(stored.fields).control : CacheControl(stored.fields)
        metadata.ageAtStore = stored.initialAge
        metadata.lifetime = lifetime(of: stored)
        metadata.expiresAt = metadata.lifetime.map { stored.responseTime.addingTimeInterval($0) }
        metadata.mayServeStale =
            isOrigins
            ? !control.forbidsStale(isShared: true)
            : !(control.mustRevalidate || control.proxyRevalidate || control.isNoCache)
        let allowance = isOrigins ? control.staleIfError.map(TimeInterval.init) : nil
        metadata.staleIfErrorUntil = metadata.expiresAt?.addingTimeInterval(allowance ?? settings.staleIfError)
        // What the origin said is needed again when it says less.
        metadata.responseHead = isOrigins && !stored.fields.lines.isEmpty ? stored.encoded : nil
    }

    /// Seconds from the response until the copy is stale; `nil` for never.
    private func lifetime(of stored: StoredResponse) -> TimeInterval? {
        var expiration = request.expiration(settings)
        if expiration == .origin {
            if let lifetime = stored.statedLifetime(Self.policy) {
                return max(0, lifetime - stored.initialAge) * settings.jitterFactor()
            }
            // The origin says nothing: the configured lifetime, or the shipped one where that is `.origin` too.
            let configured = settings.configuration.disk.expiration
            expiration = configured == .origin ? ImagePipeline.Defaults.diskExpiration : configured
        }
        switch expiration {
        case .never: return nil
        case .seconds(let seconds): return seconds * settings.jitterFactor()
        case .days(let days): return Double(days) * 86_400 * settings.jitterFactor()
        case .date(let date): return max(0, date.timeIntervalSince(stored.responseTime))
        case .expired, .origin: return 0
        }
    }
}

extension EntryMetadata {
    var hasValidator: Bool { originEntityTag != nil || originLastModified != nil }

    /// Seconds past the freshness in which the copy may be shown while it is asked for, where the origin decides that
    /// (RFC 5861 §3).
    var staleWhileRevalidate: TimeInterval? {
        guard let stored = responseHead.flatMap({ StoredResponse(encoded: $0) }) else { return nil }
        return SharedCachePolicy().directives(stored.fields).control.staleWhileRevalidate.map(TimeInterval.init)
    }
}
