internal import Foundation
internal import Halcyon
internal import HalcyonHTTP
internal import HalcyonRecords
internal import HalcyonStore
internal import Synchronization

/// From a student, a signed URL or an allow-listed URL to an answer with a photo.
final class PhotoService: Sendable {
    let targets = TargetTable()
    private let pipeline: ImagePipeline
    private let records: RecordStore
    private let settings: SettingsBox
    /// Goes up whenever a record may have changed: what was resolved before no longer counts.
    private let recordsEpoch = Atomic<Int>(0)

    init(pipeline: ImagePipeline, records: RecordStore, settings: SettingsBox) {
        self.pipeline = pipeline
        self.records = records
        self.settings = settings
    }

    func recordsChanged() {
        recordsEpoch.add(1, ordering: .acquiringAndReleasing)
    }

    // MARK: On the I/O thread

    /// The fresh entry that a remembered target leads to. Allocates nothing.
    @inline(__always)
    func memoryEntry(for target: PhotoTarget, second: Int) -> CacheEntry? {
        if let epoch = target.recordsEpoch, epoch != recordsEpoch.load(ordering: .acquiring) { return nil }
        if target.validUntil <= second { return nil }
        return pipeline.memoryEntry(for: target.key)
    }

    // MARK: Routes

    func studentPhoto(_ request: HTTPRequest, id: String) async throws(Problem) -> HTTPAnswer {
        let id = try RequestTarget.number(id, "id", in: StudentRoutes.idRange)
        try VariantParameters.refuse(request.target)
        // Read before the record: a change in between makes the target stale, not wrong.
        let epoch = recordsEpoch.load(ordering: .acquiring)
        let source: PhotoSource?
        do throws(RecordError) { source = try await records.photoSource(forStudent: id) } catch { throw Problem(error) }
        guard let source else { throw .notFound("there is no student with this id") }
        guard let url = source.url else { return placeholder(.noPhoto, request) }
        let tags = ["student:\(id)", "class:\(source.grade)-\(source.classNumber)"]
        return await photo(url, tags: tags, request, route: .photo, recordsEpoch: epoch)
    }

    func image(_ request: HTTPRequest) async throws(Problem) -> HTTPAnswer {
        try VariantParameters.refuse(request.target)
        guard let url = request.target["url"] else {
            throw .missing("url", accepted: "an http or https URL of an allow-listed host")
        }
        return await photo(url, tags: [], request, route: .image)
    }

    func signedImage(_ request: HTTPRequest, signature: String, encodedURL: String) async throws(Problem) -> HTTPAnswer
    {
        guard let signer = settings.current.signer else {
            throw Problem(403, .notPermitted, "no signing key is configured, so no signature can be valid")
        }
        let signed: (url: String, validUntil: Int)
        do throws(ImageURLSigner.Refusal) {
            signed = try signer.verify(signature: signature, encodedURL: encodedURL, now: settings.current.now())
        } catch {
            let message = error == .expired ? "the signature has expired" : "the signature does not fit this URL"
            throw Problem(403, .notPermitted, message, fields: [("Halcyon-Reason", error.token)])
        }
        try VariantParameters.refuse(request.target)
        return await photo(
            signed.url, tags: [], request, route: .image, access: .anyone, validUntil: signed.validUntil)
    }

    // MARK: Parts

    private func photo(
        _ url: String, tags: [String], _ request: HTTPRequest, route: RouteClass, access: Access = .role(.viewer),
        recordsEpoch: Int? = nil, validUntil: Int = .max
    ) async -> HTTPAnswer {
        let imageRequest = ImageRequest(url: url, options: .init(tags: tags))
        do throws(ImagePipeline.Error) {
            let loaded = try await pipeline.load(imageRequest)
            if loaded.isKept {
                targets.remember(
                    PhotoTarget(
                        rawTarget: request.rawTarget, route: route, access: access, key: loaded.entry.key,
                        recordsEpoch: recordsEpoch, validUntil: validUntil))
            }
            let current = settings.current
            return PhotoAnswer(loaded, now: current.now(), clientSeconds: current.clientSeconds)
                .answer(method: request.method, fields: request.fields)
        } catch {
            if error.kind == .invalid, route == .image {
                return Problem.wrongType(
                    "url", accepted: "an absolute http or https URL without user name or password"
                ).answer
            }
            if let failure = PhotoFailure(error) { return placeholder(failure, request) }
            return Self.unavailable(error)
        }
    }

    private func placeholder(_ failure: PhotoFailure, _ request: HTTPRequest) -> HTTPAnswer {
        let current = settings.current
        return current.placeholder.answer(
            to: failure, method: request.method, fields: request.fields,
            isWanted: request.target["placeholder"] != "none", now: current.now())
    }

    /// This service is what failed: no placeholder pretends otherwise, and the client is told when to come back.
    private static func unavailable(_ error: ImagePipeline.Error) -> HTTPAnswer {
        let seconds = max(1, error.retryAfter.map { Int($0.components.seconds) } ?? 1)
        return Problem(
            503, .tooManyRequests, "too many photos are being fetched; try again in \(seconds) s",
            fields: [("Retry-After", "\(seconds)"), ("Halcyon-Reason", error.reason.rawValue)]
        ).answer
    }
}
