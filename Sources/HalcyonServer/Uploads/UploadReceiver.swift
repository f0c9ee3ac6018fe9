internal import Glibc

/// The body of a request to a route that takes files, as it comes in. Used by one I/O thread.
final class UploadReceiver {
    private enum Content {
        case raw(UploadWriter, contentType: String?)
        case multipart(MultipartReader)
        /// What comes is thrown away.
        case spoiled(BodyFault)
    }

    private var content: Content
    /// Of the whole body.
    let limit: Int
    private var byteCount = 0

    /// A body that turns out to be of no use is read all the same, so that the client gets to see why.
    ///
    /// - Parameter limit: of the files, in bytes.
    init(
        _ handle: OpaquePointer, contentType: String?, limit: Int, in folder: UploadFolder, _ place: UploadFolder.Place
    ) {
        let type = contentType.flatMap { MediaType($0) }
        let isMultipart = type?.essence.hasPrefix("multipart/") ?? false
        self.limit = limit + (isMultipart ? MultipartReader.overheadBytes : 0)
        do throws(BodyFault) {
            if let type, isMultipart {
                content = .multipart(try MultipartReader(handle, contentType: type, in: folder, place))
            } else {
                content = .raw(try UploadWriter(in: folder, place), contentType: contentType)
            }
        } catch {
            content = .spoiled(error)
        }
    }

    func take(_ piece: UnsafeRawBufferPointer) {
        byteCount += piece.count
        do throws(BodyFault) {
            guard byteCount <= limit else { throw .tooLarge }
            switch content {
            case .raw(let writer, _): try writer.append(piece)
            case .multipart(let reader): try reader.take(piece)
            case .spoiled: break
            }
        } catch {
            content = .spoiled(error)
        }
    }

    func finish() throws(BodyFault) -> Upload {
        switch content {
        case .raw(let writer, let contentType):
            return Upload(fields: [:], files: [writer.finish(field: "", fileName: nil, contentType: contentType)])
        case .multipart(let reader): return try reader.finish()
        case .spoiled(let fault): throw fault
        }
    }
}
