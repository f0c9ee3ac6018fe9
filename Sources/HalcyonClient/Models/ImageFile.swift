public import Foundation

/// An image to upload.
public struct ImageFile: Sendable, Hashable {
    public var bytes: Data
    /// What the service finds in the bytes is what counts.
    public var contentType: String
    public var fileName: String

    public init(bytes: Data, contentType: String = "image/jpeg", fileName: String = "image.jpeg") {
        self.bytes = bytes
        self.contentType = contentType
        self.fileName = fileName
    }

    func part(named name: String) -> MultipartPart {
        MultipartPart(name: name, bytes: bytes, fileName: fileName, contentType: contentType)
    }
}
