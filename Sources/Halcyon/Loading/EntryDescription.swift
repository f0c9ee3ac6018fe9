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
        let control = CacheControl(response.fields)
        let lifetime = lifetime(of: response)
        let expiresAt = lifetime.map { response.responseTime.addingTimeInterval($0) }
        let isOriginUncached = request.expiration(settings) == .origin && (control.isNoStore || control.isPrivate)
        let isUnkept = request.expiration(settings).isUnkept || request.options.destination == .none
        let entry = EntryMetadata(
            contentType: info.format.contentType,
            pixelWidth: info.pixelWidth,
            pixelHeight: info.pixelHeight,
            host: request.host,
            tags: request.options.tags,
            originEntityTag: response.fields["ETag"],
            originLastModified: response.fields["Last-Modified"],
            storedAt: response.responseTime,
            ageAtStore: Freshness.initialAge(
                fields: response.fields, requestTime: response.requestTime, responseTime: response.responseTime),
            expiresAt: expiresAt,
            lifetime: lifetime,
            mayServeStale: !(control.mustRevalidate || control.proxyRevalidate || control.isNoCache),
            staleIfErrorUntil: expiresAt.map { $0.addingTimeInterval(settings.staleIfError) },
            digest: Digest(of: response.body),
            byteCount: response.body.count
        )
        return Metadata(
            entry: entry, isStorable: !isOriginUncached && !isUnkept, isShareable: !isOriginUncached && !isUnkept)
    }

    /// What holds after the origin said that the copy still does (RFC 9111 §4.3.4): validators that the 304 brings
    /// replace the kept ones, and freshness starts anew.
    func refreshed(_ kept: EntryMetadata, by response: ReceivedImage) -> EntryMetadata {
        let control = CacheControl(response.fields)
        var metadata = kept
        if let tag = response.fields["ETag"] { metadata.originEntityTag = tag }
        if let date = response.fields["Last-Modified"] { metadata.originLastModified = date }
        metadata.storedAt = response.responseTime
        metadata.ageAtStore = Freshness.initialAge(
            fields: response.fields, requestTime: response.requestTime, responseTime: response.responseTime)
        // A 304 changes what it carries and nothing else: where it says nothing of freshness, what the stored answer
        // said goes on to hold.
        let isSilent = response.fields["Cache-Control"] == nil && response.fields["Expires"] == nil
        let lifetime =
            request.expiration(settings) == .origin && isSilent ? kept.lifetime : lifetime(of: response)
        metadata.lifetime = lifetime
        metadata.expiresAt = lifetime.map { response.responseTime.addingTimeInterval($0) }
        metadata.staleIfErrorUntil = metadata.expiresAt.map { $0.addingTimeInterval(settings.staleIfError) }
        if response.fields["Cache-Control"] != nil {
            metadata.mayServeStale = !(control.mustRevalidate || control.proxyRevalidate || control.isNoCache)
        }
        metadata.tags = Array(Set(kept.tags).union(request.options.tags)).sorted()
        return metadata
    }

    /// Seconds from the response until the copy is stale; `nil` for never.
    private func lifetime(of response: ReceivedImage) -> TimeInterval? {
        var expiration = request.expiration(settings)
        if expiration == .origin {
            let age = Freshness.initialAge(
                fields: response.fields, requestTime: response.requestTime, responseTime: response.responseTime)
            if let lifetime = Freshness.lifetime(
                status: 200, fields: response.fields, isShared: true, responseTime: response.responseTime)
            {
                return max(0, lifetime - age) * settings.jitterFactor()
            }
            // The origin says nothing: the configured lifetime, or the shipped one where that is `.origin` too.
            let configured = settings.configuration.disk.expiration
            expiration = configured == .origin ? ImagePipeline.Defaults.diskExpiration : configured
        }
        switch expiration {
        case .never: return nil
        case .seconds(let seconds): return seconds * settings.jitterFactor()
        case .days(let days): return Double(days) * 86_400 * settings.jitterFactor()
        case .date(let date): return max(0, date.timeIntervalSince(response.responseTime))
        case .expired, .origin: return 0
        }
    }
}

extension EntryMetadata {
    var hasValidator: Bool { originEntityTag != nil || originLastModified != nil }
}
