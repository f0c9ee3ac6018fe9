/// Why a picture of our own could not be made. Descriptions are for the operator, not for HTTP answers.
package enum DrawingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// libvips failed, with the text it left.
    case library(String)
    /// Not done in the time that was given for it.
    case deadline
    /// The operator's file cannot be read, with the reason the system gave.
    case unreadableFile(path: String, reason: String)
    case fileTooLarge(path: String, limitBytes: Int)
    /// The operator's file was read and is no image that may be served.
    case unusableFile(path: String, ImageError)

    package var description: String {
        switch self {
        case .library(let message):
            "libvips could not draw: \(message)"
        case .deadline:
            "drawing took too long"
        case .unreadableFile(let path, let reason):
            "the placeholder \(path) cannot be read: \(reason)"
        case .fileTooLarge(let path, let limitBytes):
            "the placeholder \(path) is larger than \(limitBytes) bytes"
        case .unusableFile(let path, let error):
            "the placeholder \(path) cannot be used: \(error); accepted are JPEG, PNG, GIF, WebP and AVIF"
        }
    }
}
