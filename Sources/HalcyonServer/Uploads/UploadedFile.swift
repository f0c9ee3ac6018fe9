internal import Glibc

/// A file that came with a request, in the folder for uploads; readable by the server alone. It is removed with the last
/// reference to it, unless somebody has moved it away by then.
package final class UploadedFile: Sendable {
    /// The name of the part; empty for a body that is the file itself.
    package let field: String
    /// What the client calls it: to be shown, never to be used as a path.
    package let fileName: String?
    /// What the client says it is.
    package let contentType: String?
    package let path: String
    package let byteCount: Int
    private let place: UploadFolder.Place?

    init(
        field: String, fileName: String? = nil, contentType: String? = nil, path: String, byteCount: Int,
        place: UploadFolder.Place? = nil
    ) {
        self.field = field
        self.fileName = fileName
        self.contentType = contentType
        self.path = path
        self.byteCount = byteCount
        self.place = place
    }

    deinit { unlink(path) }
}
