internal import Foundation

/// The bytes of a multipart/form-data body (RFC 7578).
struct MultipartBody {
    let contentType: String
    private(set) var bytes: [UInt8] = []

    init(_ parts: [MultipartPart], boundary: String = "halcyon-\(UUID().uuidString)") {
        contentType = "multipart/form-data; boundary=\(boundary)"
        for part in parts {
            var head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.quoted(part.name))\""
            if let fileName = part.fileName { head += "; filename=\"\(Self.quoted(fileName))\"" }
            if let type = part.contentType { head += "\r\nContent-Type: \(Self.quoted(type))" }
            bytes += Array("\(head)\r\n\r\n".utf8) + Array(part.bytes) + Array("\r\n".utf8)
        }
        bytes += Array("--\(boundary)--\r\n".utf8)
    }

    /// As browsers write it, so that no name ends its line or its quotes. By bytes: to `String`, CR LF is one character.
    private static func quoted(_ text: String) -> String {
        let bytes = text.utf8.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "\""): Array("%22".utf8)
            case 0x0D: Array("%0D".utf8)
            case 0x0A: Array("%0A".utf8)
            default: [byte]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
