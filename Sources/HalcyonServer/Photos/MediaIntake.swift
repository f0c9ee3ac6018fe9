package import Halcyon
internal import HalcyonImage
package import HalcyonRecords

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The one way in for images that are not fetched: held to what a fetched one is held to, kept, and recorded. A sweep
/// removes one that no record names within the hour.
package struct MediaIntake: Sendable {
    package enum Failure: Error, Sendable, CustomStringConvertible {
        case tooLarge(limit: Int)
        case image(reason: String, description: String, isOtherType: Bool)
        case media(MediaError)
        case record(RecordError)

        package var description: String {
            switch self {
            case .tooLarge(let limit): "the image has more than \(limit) bytes"
            case .image(_, let description, _): description
            case .media(let error): error.description
            case .record(let error): error.description
            }
        }
    }

    let store: MediaStore
    let records: RecordStore
    let limits: ImagePipeline.Configuration.Limits

    package init(store: MediaStore, records: RecordStore, limits: ImagePipeline.Configuration.Limits) {
        self.store = store
        self.records = records
        self.limits = limits
    }

    /// - Parameter isMoved: whether the file itself may be taken. Otherwise its bytes are copied.
    package func take(fileAt path: String, isMoved: Bool, now: Date = Date()) async throws(Failure) -> MediaID {
        let bytes: [UInt8]
        do throws(MediaError) {
            bytes = try await MediaStore.contents(ofFile: path, limit: limits.maximumImageBytes)
        } catch {
            throw error == .wrongLength ? .tooLarge(limit: limits.maximumImageBytes) : .media(error)
        }
        let info: ImageInfo
        do throws(ImageError) {
            info = try ImageProbe.probe(
                bytes, limits: ImageLimits(maximumPixels: limits.maximumPixels, allowsSVG: limits.allowsSVG))
        } catch {
            throw Failure(error)
        }
        let id: MediaID
        do throws(MediaError) {
            let fileExtension = info.format.fileExtension
            id =
                isMoved
                ? try await store.keep(fileAt: path, holding: bytes, fileExtension: fileExtension)
                : try await store.keep(bytes, fileExtension: fileExtension)
        } catch {
            throw .media(error)
        }
        do throws(RecordError) {
            try await records.add(
                Media(
                    id: id, contentType: info.format.contentType, byteCount: bytes.count, width: info.pixelWidth,
                    height: info.pixelHeight, createdAt: now))
        } catch {
            throw .record(error)
        }
        return id
    }
}

extension MediaIntake.Failure {
    fileprivate init(_ error: ImageError) {
        let isOtherType =
            switch error {
            case .empty, .notAnImage, .unsupported: true
            case .truncated, .malformed, .tooManyPixels, .tooManyFrames: false
            }
        self = .image(reason: error.token, description: error.description, isOtherType: isOtherType)
    }
}
