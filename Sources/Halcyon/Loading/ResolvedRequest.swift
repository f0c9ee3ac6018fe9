internal import HalcyonHTTP
internal import HalcyonStore

/// A request whose URL was read, found in the policy and turned into a key.
struct ResolvedRequest: Sendable {
    enum Source: Sendable {
        case origin(CanonicalURL)
        case provider(ImageDataProvider)
    }

    let source: Source
    let key: CacheKey
    private(set) var options: ImageRequest.Options
    /// What the configuration says of the host.
    let origin: Origin

    init(_ request: ImageRequest, settings: Settings) throws(ImagePipeline.Error) {
        if let provider = request.provider {
            source = .provider(provider)
            key = .explicit(request.options.cacheKey ?? provider.cacheKey)
            options = request.options
            origin = Origin(host: "")
            return
        }
        let url = try Self.canonicalURL(request.url)
        let rule = settings.policy.rule(for: url)
        // Where only the caches are asked, nothing is fetched that would have to be allowed.
        if rule == nil, request.options.cachePolicy != .onlyFromCache {
            do throws(FetchError) {
                _ = try settings.policy.check(url, isRedirect: false)
            } catch {
                throw ImagePipeline.Error(error)
            }
        }
        let origin = rule.flatMap(settings.origin) ?? Origin(host: url.host)
        self.source = .origin(url)
        self.origin = origin
        self.options = request.options
        let scope =
            (rule?.credentialScope ?? "") + (request.options.requestModifier.map { "\u{0}" + $0.identifier } ?? "")
        if let name = request.options.cacheKey {
            self.key = .explicit(name)
        } else {
            self.key = CacheKey(url: url.droppingQueryItems(named: origin.droppedQueryItems).text, scope: scope)
        }
    }

    static func canonicalURL(_ text: String) throws(ImagePipeline.Error) -> CanonicalURL {
        do throws(URLProblem) {
            return try CanonicalURL(text)
        } catch {
            throw ImagePipeline.Error(.invalidURL, "\(error)")
        }
    }

    var isFromOrigin: Bool { if case .origin = source { true } else { false } }

    /// Of the origin; empty for what is not fetched.
    var host: String { if case .origin(let url) = source { url.host } else { "" } }

    func expiration(_ settings: Settings) -> CacheExpiration {
        // What a provider's key means does not change.
        if case .provider = source { return options.diskExpiration ?? .never }
        return options.diskExpiration ?? origin.expiration ?? settings.configuration.disk.expiration
    }

    func diskExtension(_ settings: Settings) -> ExpirationExtension {
        (options.diskExtension ?? settings.configuration.disk.accessExtension).stored
    }

    var usesDisk: Bool {
        if case .provider(let provider) = source, !provider.isKeptOnDisk { return false }
        return !origin.isMemoryOnly && (options.destination == .memoryAndDisk || options.destination == .disk)
    }

    /// The request for the original of a variant: thirty faces are not to push the rest out of memory by their originals,
    /// which the disk keeps. Its flight is shared with those who want the original itself.
    func originalForVariant(hasDisk: Bool) -> ResolvedRequest {
        var request = self
        if hasDisk, usesDisk, options.destination == .memoryAndDisk { request.options.destination = .disk }
        return request
    }

    func keepInMemory(_ entry: CacheEntry, parts: PipelineParts, ticket: PipelineParts.Ticket) {
        guard usesMemory else { return }
        parts.memory.insert(
            entry, expiration: options.memoryExpiration?.stored, extension: options.memoryExtension?.stored)
        // Inserted first, then looked at: a purge that the second look misses has yet to empty the memory.
        if !parts.isCurrent(ticket) { parts.memory.remove(entry.key) }
    }

    var usesMemory: Bool {
        options.destination == .memoryAndDisk || options.destination == .memory
    }
}
