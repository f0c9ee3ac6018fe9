/// What an image may ask of whoever decodes it. Judged from headers alone.
package struct ImageLimits: Sendable, Hashable {
    package enum Defaults {
        package static let maximumPixels = 50_000_000
        package static let maximumFrames = 1_000
        package static let allowsSVG = false
    }

    /// Width times height of the canvas and of each frame.
    package var maximumPixels: Int
    /// Frames of an animation, pages of a TIFF. All frames together may have ten times `maximumPixels`.
    package var maximumFrames: Int
    /// SVG is active content; `unsupported` unless switched on.
    package var allowsSVG: Bool

    package init(
        maximumPixels: Int = Defaults.maximumPixels,
        maximumFrames: Int = Defaults.maximumFrames,
        allowsSVG: Bool = Defaults.allowsSVG
    ) {
        self.maximumPixels = maximumPixels
        self.maximumFrames = maximumFrames
        self.allowsSVG = allowsSVG
    }

    /// - Throws: `malformed` for a side of zero or less, `tooManyPixels`.
    func check(width: Int, height: Int, of format: ImageFormat) throws(ImageError) {
        guard width > 0, height > 0 else { throw .malformed(format) }
        let (pixels, overflows) = width.multipliedReportingOverflow(by: height)
        guard !overflows, pixels <= maximumPixels else { throw .tooManyPixels(limit: maximumPixels) }
    }

    /// - Throws: `tooManyFrames`.
    func check(frames: Int, width: Int, height: Int) throws(ImageError) {
        let (canvas, overflowsCanvas) = width.multipliedReportingOverflow(by: height)
        let (total, overflowsTotal) = canvas.multipliedReportingOverflow(by: frames)
        guard frames <= maximumFrames, !overflowsCanvas, !overflowsTotal, total / 10 <= maximumPixels else {
            throw .tooManyFrames(limit: maximumFrames)
        }
    }
}
