package enum ImageFormat: String, Sendable, CaseIterable {
    case jpeg, png, gif, webp, avif, heic, bmp, tiff, ico, svg

    /// The registered media type; `image/vnd.microsoft.icon` for ICO.
    package var contentType: String {
        switch self {
        case .ico: "image/vnd.microsoft.icon"
        case .svg: "image/svg+xml"
        default: "image/" + rawValue
        }
    }

    /// Without the dot.
    package var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
}
