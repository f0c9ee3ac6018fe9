/// Why there is no variant. Descriptions hold nothing of the image.
package enum RenderError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Refused by the probe or by the decoder: `malformed` where decoding failed half-way.
    case image(ImageError)
    /// Not done within the limit for one image.
    case tooSlow
    /// The result would have a side longer than the format can hold.
    case tooLarge(ImageFormat, maximumSide: Int)
    /// The installed libvips or libheif does not write the format.
    case noEncoder(ImageFormat)
    /// libvips cannot be had at all, or failed by itself.
    case library(String)
    /// As many pictures wait as may; nothing was begun.
    case busy(retryAfterSeconds: Int)
    /// While it waited; or the lane has stopped.
    case cancelled
    /// The decoding process died of this image.
    case crashed

    package var description: String {
        switch self {
        case .image(let error): error.description
        case .tooSlow: "the picture takes too long to decode"
        case .tooLarge(let format, let side): "a \(format.rawValue.uppercased()) has sides of \(side) pixels at most"
        case .noEncoder(let format):
            "\(format.rawValue.uppercased()) cannot be written here: libvips 8.14 with libheif1 and its AV1 encoder can"
        case .library(let message): "libvips failed: \(message)"
        case .busy: "too many pictures are waiting"
        case .cancelled: "the picture is no longer wanted"
        case .crashed: "the decoder died of the picture"
        }
    }
}
