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

    init(field: String, fileName: String?, contentType: String?, path: String, byteCount: Int) {
        self.field = field
        self.fileName = fileName
        self.contentType = contentType
        self.path = path
        self.byteCount = byteCount
    }

    deinit { unlink(path) }
}
