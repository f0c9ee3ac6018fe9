/// Why bytes are not taken for an image.
package enum ImageError: Error, Sendable, Hashable, CustomStringConvertible {
    case empty
    /// No known format: HTML, JSON, text, PDF, video.
    case notAnImage
    /// The format is known and the bytes end before the image does.
    case truncated
    /// Width times height, of the whole or of a frame. Found in the header, before anything is decoded.
    case tooManyPixels(limit: Int)
    /// Too many frames or pages, or frames that together have too many pixels.
    case tooManyFrames(limit: Int)
    /// Known, and not accepted: an SVG that was not allowed, a BigTIFF.
    case unsupported(ImageFormat)
    /// The structure contradicts itself.
    case malformed(ImageFormat)

    /// For the `Halcyon-Reason` header; the list is closed.
    package var token: String {
        switch self {
        case .empty: "empty"
        case .notAnImage: "not-an-image"
        case .truncated: "truncated"
        case .tooManyPixels: "too-many-pixels"
        case .tooManyFrames: "too-many-frames"
        case .unsupported: "unsupported-image"
        case .malformed: "malformed-image"
        }
    }

    package var description: String {
        switch self {
        case .empty: "there are no bytes"
        case .notAnImage: "the bytes are not an image"
        case .truncated: "the image ends too early"
        case .tooManyPixels(let limit): "the image has more than \(limit) pixels"
        case .tooManyFrames(let limit): "the image has more than \(limit) frames, or too many pixels in all of them"
        case .unsupported(let format): "this kind of \(format.rawValue.uppercased()) is not accepted"
        case .malformed(let format): "the \(format.rawValue.uppercased()) contradicts itself"
        }
    }
}
