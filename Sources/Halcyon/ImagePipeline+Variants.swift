package import HalcyonImage
internal import HalcyonStore

extension ImagePipeline {
    /// To be the first statement of a program that sets ``Configuration/Rendering/isIsolated``: where the program was
    /// started as a decoder it is one and does not return.
    public static func becomeDecoderIfAsked(_ arguments: [String] = CommandLine.arguments) {
        DecoderWorker.runIfAsked(arguments.dropFirst())
    }

    /// Draws where variants are made, a bounded number of pictures at a time: `work` is given what does its jobs.
    package func draw<Value: Sendable>(
        _ work: @escaping @Sendable (RenderJob.Performer) throws(RenderError) -> Value
    ) async throws(Error) -> Value {
        do throws(RenderError) {
            return try await parts.pixels.run(work)
        } catch {
            throw Error(error)
        }
    }

    /// A variant of bytes that no cache keeps.
    package func render(_ bytes: [UInt8], as variant: ResolvedVariant) async throws(Error) -> RenderedImage {
        do throws(RenderError) {
            return try await parts.pixels.render(bytes, as: variant, limits: currentSettings.imageLimits)
        } catch {
            throw Error(error)
        }
    }

    /// The keys under which the caches may hold what is asked for, the best first.
    func keys(of request: ImageRequest, _ resolved: ResolvedRequest) -> [CacheKey] {
        guard !request.variant.isOriginal else { return [resolved.key] }
        return VariantLoad.choices(
            request.variant.parameters, accept: AcceptedFormats(request.options.acceptedTypes),
            source: parts.sources.source(of: resolved.key)
        ).map { resolved.key.variant($0.key) }
    }

    func load(
        _ variant: ImageVariant, of request: ResolvedRequest, settings: Settings, mode: ImageLoad.Mode
    ) async throws(Error) -> LoadedEntry {
        let accept = AcceptedFormats(request.options.acceptedTypes)
        let original = request.originalForVariant(hasDisk: parts.disk != nil)
        let load = VariantLoad(
            variant: variant.parameters, accept: accept, request: request, settings: settings, parts: parts,
            flights: flights, mode: mode
        ) { [self] () async throws(Error) in
            let loaded = try await self.load(original, settings: settings, mode: mode)
            if loaded.source == .stale(.revalidating) { revalidate(original, settings: settings) }
            return loaded
        }
        // No key of the cache: what is waited for is a wish, which two ways of accepting formats may share.
        let wish = request.key.variant("?\(variant.text)\u{0}\(accept)")
        let key = FlightTable.Key(
            cacheKey: wish, mode: mode, isCacheOnly: request.options.cachePolicy == .onlyFromCache,
            destination: request.options.destination, epoch: parts.currentEpoch)
        let (outcome, isFollower) = await flights.outcome(for: key, onProgress: request.options.onProgress) { _ in
            do throws(Error) {
                return .success(try await load.run())
            } catch {
                return .failure(error)
            }
        }
        let landing = try outcome.get()
        guard isFollower else { return landing.loaded }
        // The origin wants each caller to ask for itself.
        guard landing.isShareable else { return try await load.run().loaded }
        parts.counters.followers.add(1)
        var loaded = landing.loaded
        loaded.isShared = true
        return loaded
    }
}
