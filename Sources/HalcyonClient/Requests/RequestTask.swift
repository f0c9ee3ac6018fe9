public import Foundation

/// What goes with a request, besides its path and header fields.
public enum RequestTask: Sendable {
    case plain
    /// Values that are `nil` are left out.
    case query([(name: String, value: String?)])
    case json(any Encodable & Sendable)
    case multipart([MultipartPart])
    case body(Data, contentType: String)
}

/// One part of a multipart/form-data body (RFC 7578).
public struct MultipartPart: Sendable, Hashable {
    public var name: String
    /// `nil` for a plain field.
    public var fileName: String?
    /// `nil` for a plain field.
    public var contentType: String?
    public var bytes: Data

    public init(name: String, bytes: Data, fileName: String? = nil, contentType: String? = nil) {
        self.name = name
        self.bytes = bytes
        self.fileName = fileName
        self.contentType = contentType
    }
}
