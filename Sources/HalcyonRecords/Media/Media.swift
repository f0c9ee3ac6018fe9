internal import HalcyonSQLite

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// What is recorded of a kept image besides its bytes, which ``MediaStore`` has.
package struct Media: Sendable, Hashable {
    package let id: MediaID
    /// What the bytes are, such as `image/jpeg`.
    package let contentType: String
    package let byteCount: Int
    /// 0 where the image does not say (SVG).
    package let width: Int
    package let height: Int
    /// When it was last received.
    package let createdAt: Date

    package init(id: MediaID, contentType: String, byteCount: Int, width: Int, height: Int, createdAt: Date) {
        self.id = id
        self.contentType = contentType
        self.byteCount = byteCount
        self.width = width
        self.height = height
        self.createdAt = createdAt
    }

    static let columns = "digest, contentType, byteCount, width, height, createdAt"

    /// A row of ``columns``; `nil` if its name is none, which the schema does not let in.
    init?(_ row: borrowing Row) {
        guard let id = MediaID(row.text(0)) else { return nil }
        self.init(
            id: id, contentType: row.text(1), byteCount: row.int(2), width: row.int(3), height: row.int(4),
            createdAt: Date(milliseconds: row.int(5)))
    }

    var values: [Value] {
        [
            .text(id.description), .text(contentType), Value(byteCount), Value(width), Value(height),
            Value(createdAt.milliseconds),
        ]
    }
}
