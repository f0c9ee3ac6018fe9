internal import Glibc

/// A file of an upload while it comes in. Gone with its writer unless it was finished.
///
/// Used by one I/O thread. Its writes go to the page cache, at the pace of the client; they are not synced.
final class UploadWriter {
    private let path: String
    private let descriptor: Int32
    private let place: UploadFolder.Place
    private(set) var byteCount = 0
    private var isFinished = false

    init(in folder: UploadFolder, _ place: UploadFolder.Place) throws(BodyFault) {
        (descriptor, path) = try folder.makeFile()
        self.place = place
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(BodyFault) {
        var rest = bytes
        while !rest.isEmpty {
            let count = write(descriptor, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .noRoom }
            byteCount += count
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    func finish(field: String, fileName: String?, contentType: String?) -> UploadedFile {
        isFinished = true
        return UploadedFile(
            field: field, fileName: fileName, contentType: contentType, path: path, byteCount: byteCount, place: place)
    }

    deinit {
        close(descriptor)
        if !isFinished { unlink(path) }
    }
}
