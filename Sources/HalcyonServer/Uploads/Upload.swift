/// The body of a request to a route that takes files.
package struct Upload: Sendable {
    /// The parts without a file name, by their names.
    package let fields: [String: String]
    /// In the order of the body: one with an empty field, if the body is not multipart.
    package let files: [UploadedFile]
}
