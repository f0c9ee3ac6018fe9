internal import HalcyonImage

/// Where variants are made: on threads of their own, a bounded number at a time, so that hits and fetches go on.
final class PixelWork: Sendable {
    private let lane: PixelLane
    /// `nil`: in this process.
    private let decoders: DecoderPool?
    private let performer: RenderJob.Performer

    init(_ configuration: ImagePipeline.Configuration.Rendering) {
        lane = PixelLane(width: configuration.lanes, maximumWaiting: configuration.maximumWaiting)
        let decoders = configuration.isIsolated ? DecoderPool() : nil
        self.decoders = decoders
        performer =
            if let decoders {
                { (job, bytes, limits, timeLimit) throws(RenderError) in
                    try decoders.perform(job, on: bytes, limits: limits, timeLimit: timeLimit)
                }
            } else {
                RenderJob.here
            }
    }

    /// - Throws: `busy` if too much waits already.
    func render(
        _ bytes: [UInt8], as variant: ResolvedVariant, limits: ImageLimits
    ) async throws(RenderError) -> RenderedImage {
        try await run { (performer) throws(RenderError) in
            try performer(.variant(variant), bytes, limits, VariantRenderer.timeLimit)
        }
    }

    /// - Throws: `busy` if too much waits already.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable (RenderJob.Performer) throws(RenderError) -> Value
    ) async throws(RenderError) -> Value {
        try await lane.run { [performer] () throws(RenderError) in try work(performer) }
    }

    var statistics: PixelLane.Statistics { lane.statistics }
    /// Decoding processes that died of a picture or were ended for its time.
    var lostDecoders: Int { decoders?.lost ?? 0 }

    /// To be called now and then.
    func endIdleDecoders() { decoders?.endIdle(for: .seconds(60)) }

    func stop() {
        lane.stop()
        decoders?.stop()
    }
}
