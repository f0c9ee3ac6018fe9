/// What the bytes of an image say about it.
package struct ImageInfo: Sendable, Hashable {
    package let format: ImageFormat
    /// As stored: an Exif orientation is not applied, a HEIF rotation is. An icon's largest picture; the first page of a
    /// TIFF; 0 for an SVG that gives no size in pixels.
    package let pixelWidth: Int
    package let pixelHeight: Int
    /// More than one frame that is meant to be shown in turn; the pages of a TIFF and the sizes of an icon are not.
    package let isAnimated: Bool

    package init(format: ImageFormat, pixelWidth: Int, pixelHeight: Int, isAnimated: Bool = false) {
        self.format = format
        self.pixelWidth = pixelWidth
        self.pixelHeight = pixelHeight
        self.isAnimated = isAnimated
    }
}
