internal import HalcyonImage

/// Where variants are made: on threads of their own, a bounded number at a time, so that hits and fetches go on.
final class PixelWork: Sendable {
    private let lane: PixelLane
    /// `nil`: in this process.
    private let decoders: DecoderPool?

    init(_ configuration: ImagePipeline.Configuration.Rendering) {
        lane = PixelLane(width: configuration.lanes, maximumWaiting: configuration.maximumWaiting)
        decoders = configuration.isIsolated ? DecoderPool() : nil
    }

    /// - Throws: `busy` if too much waits already.
    func render(
        _ bytes: [UInt8], as variant: ResolvedVariant, limits: ImageLimits
    ) async throws(RenderError) -> RenderedImage {
        try await lane.run { [decoders] () throws(RenderError) in
            if let decoders { return try decoders.render(bytes, as: variant, limits: limits) }
            return try VariantRenderer.render(bytes, as: variant, limits: limits)
        }
    }

    /// Drawings of our own, which need no decoder.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws(RenderError) -> Value
    ) async throws(RenderError) -> Value { try await lane.run(work) }

    var statistics: PixelLane.Statistics { lane.statistics }
    /// Decoding processes that died of a picture or were ended for its time.
    var lostDecoders: Int { decoders?.lost ?? 0 }

    func stop() {
        lane.stop()
        decoders?.stop()
    }
}
