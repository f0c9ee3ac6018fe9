internal import Glibc

/// What can go wrong with a kept image. Descriptions name no files.
package enum MediaError: Error, Sendable, Hashable, CustomStringConvertible {
    /// There is no file of this name.
    case missing
    /// The file is not as long as it was when it was kept.
    case wrongLength
    /// The file does not hold the bytes that it is named after.
    case damaged
    /// The extension is not one of an image.
    case invalidName
    /// The file system failed: `errno`.
    case system(Int32)

    package var description: String {
        switch self {
        case .missing: "the image file is missing"
        case .wrongLength: "the image file has the wrong length"
        case .damaged: "the image file holds other bytes than it was kept with"
        case .invalidName: "this cannot be the name of an image file"
        case .system(let code): "the image folder failed: \(String(cString: strerror(code)))"
        }
    }
}
