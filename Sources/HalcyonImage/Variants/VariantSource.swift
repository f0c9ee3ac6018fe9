/// What the choice of a format needs to know of an original.
package struct VariantSource: Sendable, Hashable {
    package let info: ImageInfo
    /// The file has a place for transparency, whether or not a pixel uses it.
    package let hasAlpha: Bool

    package init(info: ImageInfo, hasAlpha: Bool) {
        self.info = info
        self.hasAlpha = hasAlpha
    }

    /// Microseconds: headers alone are read.
    package init(_ bytes: [UInt8], limits: ImageLimits = .init()) throws(ImageError) {
        let info = try ImageProbe.probe(bytes, limits: limits)
        let alpha = bytes.withUnsafeBytes { buffer in
            Result { () throws(ImageError) in try AlphaProbe.hasAlpha(ByteView(buffer), format: info.format) }
        }
        self.init(info: info, hasAlpha: try alpha.get())
    }
}
