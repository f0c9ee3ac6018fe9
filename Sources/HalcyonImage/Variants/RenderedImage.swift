package struct RenderedImage: Sendable, Hashable {
    package let bytes: [UInt8]
    package let format: ImageFormat
    /// Of each frame.
    package let width: Int
    package let height: Int

    package init(bytes: [UInt8], format: ImageFormat, width: Int, height: Int) {
        self.bytes = bytes
        self.format = format
        self.width = width
        self.height = height
    }
}
