internal import HalcyonImage

/// Where variants are made: on threads of their own, a bounded number at a time, so that hits and fetches go on.
final class PixelWork: Sendable {
    private let lane: PixelLane

    init(lanes: Int, maximumWaiting: Int) { lane = PixelLane(width: lanes, maximumWaiting: maximumWaiting) }

    /// - Throws: `busy` if too much waits already.
    func render(
        _ bytes: [UInt8], as variant: ResolvedVariant, limits: ImageLimits
    ) async throws(RenderError) -> RenderedImage {
        try await lane.run { () throws(RenderError) in
            try VariantRenderer.render(bytes, as: variant, limits: limits)
        }
    }
}
