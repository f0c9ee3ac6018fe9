internal import CMicroHTTPD
internal import Glibc

/// `multipart/form-data` (RFC 7578), cut into parts by libmicrohttpd as it comes in. Parts with a file name, or of a type
/// that is not text, go to files; the others are kept in memory.
///
/// Used by one I/O thread, the connection's.
final class MultipartReader {
    static let maximumParts = 20
    /// Of all texts together, names included.
    static let maximumTextBytes = 64 << 10
    /// What boundaries, part headers and texts may add to the files.
    static let overheadBytes = 128 << 10
    /// A line of a part's header has to fit in it.
    private static let bufferBytes = 8 << 10

    private struct Part {
        let name: String
        let fileName: String?
        let contentType: String?
        /// `nil` for a text.
        let file: UploadWriter?
        var text: [UInt8] = []

        var isEmpty: Bool { text.isEmpty && (file?.byteCount ?? 0) == 0 }
    }

    private let folder: UploadFolder
    private let place: UploadFolder.Place
    private var processor: OpaquePointer?
    private var part: Part?
    private var partCount = 0
    private var textBytes = 0
    private var fields: [String: String] = [:]
    private var files: [UploadedFile] = []
    private var fault: BodyFault?

    /// - Parameter contentType: that of the request.
    init(_ handle: OpaquePointer, contentType: MediaType, in folder: UploadFolder, _ place: UploadFolder.Place)
        throws(BodyFault)
    {
        self.folder = folder
        self.place = place
        // libmicrohttpd takes all that comes after `boundary=` for the boundary; RFC 2046 §5.1.1 has at most 70 characters.
        guard let boundary = contentType.parameters["boundary"], (1...70).contains(boundary.utf8.count),
            contentType.parameters.count == 1
        else {
            throw .malformed("Content-Type: accepted is multipart/form-data with a boundary and nothing else")
        }
        processor = MHD_create_post_processor(
            handle, Self.bufferBytes,
            { context, _, name, fileName, contentType, encoding, data, offset, size in
                guard let context else { return .NO }
                let reader = Unmanaged<MultipartReader>.fromOpaque(context).takeUnretainedValue()
                do throws(BodyFault) {
                    try reader.take(
                        UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : size), at: offset,
                        name: name, fileName: fileName, contentType: contentType, encoding: encoding)
                    return .YES
                } catch {
                    reader.fault = error
                    return .NO
                }
            }, Unmanaged.passUnretained(self).toOpaque())
        guard processor != nil else {
            throw .malformed("Content-Type: accepted is multipart/form-data with a boundary")
        }
    }

    deinit {
        if let processor { MHD_destroy_post_processor(processor) }
    }

    func take(_ piece: UnsafeRawBufferPointer) throws(BodyFault) {
        guard let start = piece.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
        guard MHD_post_process(processor, start, piece.count) == .YES else { throw fault ?? Self.unreadable }
    }

    /// - Throws: `malformed` also for a body that ends before its last boundary.
    func finish() throws(BodyFault) -> Upload {
        let isWhole = MHD_destroy_post_processor(processor) == .YES
        processor = nil
        guard isWhole, partCount > 0 else { throw Self.unreadable }
        try closePart()
        return Upload(fields: fields, files: files)
    }

    private static let unreadable = BodyFault.malformed(
        "the body is not multipart/form-data that ends with its boundary")

    private func take(
        _ data: UnsafeRawBufferPointer, at offset: UInt64, name: UnsafePointer<CChar>?,
        fileName: UnsafePointer<CChar>?, contentType: UnsafePointer<CChar>?, encoding: UnsafePointer<CChar>?
    ) throws(BodyFault) {
        if offset == 0 {
            guard let name = name.flatMap({ String(validatingCString: $0) }), !name.isEmpty else {
                throw .malformed("a part has no name: accepted is name=\"…\" in its Content-Disposition, in UTF-8")
            }
            let fileName = fileName.map { String(cString: $0) }
            let contentType = contentType.map { String(cString: $0) }
            // libmicrohttpd announces a part with no bytes and at the same offset again with the first of them.
            let isSame =
                part.map { $0.isEmpty && $0.name == name && $0.fileName == fileName && $0.contentType == contentType }
            if isSame != true {
                try closePart()
                try Self.check(encoding)
                try openPart(name, fileName, contentType)
            }
        }
        if let file = part?.file { return try file.append(data) }
        textBytes += data.count
        guard textBytes <= Self.maximumTextBytes else { throw .tooLarge }
        part?.text.append(contentsOf: data)
    }

    /// RFC 7578 §4.7: parts are sent as they are.
    private static func check(_ encoding: UnsafePointer<CChar>?) throws(BodyFault) {
        guard let encoding = encoding.map({ String(cString: $0).lowercased() }) else { return }
        guard ["binary", "8bit", "7bit"].contains(encoding) else {
            throw .malformed("Content-Transfer-Encoding: accepted is binary")
        }
    }

    private func openPart(_ name: String, _ fileName: String?, _ contentType: String?) throws(BodyFault) {
        partCount += 1
        guard partCount <= Self.maximumParts else {
            throw .malformed("accepted are at most \(Self.maximumParts) parts")
        }
        textBytes += name.utf8.count
        let isFile = fileName != nil || contentType.map { !$0.lowercased().hasPrefix("text/") } ?? false
        part = Part(
            name: name, fileName: fileName, contentType: contentType,
            file: isFile ? try UploadWriter(in: folder, place) : nil)
    }

    private func closePart() throws(BodyFault) {
        guard let part else { return }
        self.part = nil
        if let file = part.file {
            // What a browser sends for a file input that nothing was chosen for.
            if part.fileName?.isEmpty ?? false, part.isEmpty { return }
            files.append(file.finish(field: part.name, fileName: part.fileName, contentType: part.contentType))
            return
        }
        guard let text = String(validating: part.text, as: UTF8.self) else {
            throw .malformed("\(RequestBody.shown(part.name)): accepted is text in UTF-8")
        }
        guard fields.updateValue(text, forKey: part.name) == nil else {
            throw .malformed("\(RequestBody.shown(part.name)): accepted once")
        }
    }
}
