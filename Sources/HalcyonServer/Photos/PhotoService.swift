internal import Foundation
internal import Halcyon
internal import HalcyonHTTP
internal import HalcyonRecords
internal import HalcyonStore
internal import Synchronization

/// From a student, a signed URL or an allow-listed URL to an answer with a photo.
final class PhotoService: RouteFamily {
    let targets = TargetTable()
    let pipeline: ImagePipeline
    let records: RecordStore
    let media: MediaStore
    let settings: SettingsBox
    private let logger: Logger
    /// Goes up whenever a record may have changed: what was resolved before no longer counts.
    private let recordsEpoch = Atomic<Int>(0)

    init(
        pipeline: ImagePipeline, records: RecordStore, media: MediaStore, settings: SettingsBox, logger: Logger
    ) {
        self.logger = logger
        self.media = media
        self.pipeline = pipeline
        self.records = records
        self.settings = settings
    }

    func recordsChanged() {
        recordsEpoch.add(1, ordering: .acquiringAndReleasing)
    }

    /// Drops what the caches have of a student who is gone or has another photo. The record is changed by now, and what is
    /// kept under the old URL is not shown for the student again: a cache that fails is no failure of the request.
    ///
    /// - Parameter student: as it was before.
    func dropPhotos(of student: Student) async {
        do {
            try await StalePhotos(of: [student], records: records).drop(from: pipeline)
        } catch {
            logger.log(.error, "purge", ["problem": .text("\(error)")])
        }
    }

    // MARK: On the I/O thread

    /// The fresh entry that a remembered target leads to. Allocates nothing.
    @inline(__always)
    func memoryEntry(
        for target: PhotoTarget, _ header: HeaderSummary.Contents, _ handle: OpaquePointer, second: Int
    ) -> CacheEntry? {
        if let epoch = target.recordsEpoch, epoch != recordsEpoch.load(ordering: .acquiring) { return nil }
        if target.validUntil <= second { return nil }
        guard let acceptedKeys = target.acceptedKeys else { return pipeline.memoryEntry(for: target.key) }
        guard !header.contains(.repeatedAccept), let key = acceptedKeys.key(for: handle) else { return nil }
        return pipeline.memoryEntry(for: key)
    }

    // MARK: Routes

    func studentPhoto(_ request: HTTPRequest, id: String) async throws(Problem) -> HTTPAnswer {
        let id = try RequestTarget.number(id, "id", in: StudentRoutes.idRange)
        let query = try PhotoQuery(request.target)
        // Read before the record: a change in between makes the target stale, not wrong.
        let epoch = recordsEpoch.load(ordering: .acquiring)
        let source = try await orProblem(await records.photoSource(forStudent: id))
        guard let source else { throw Self.noStudent }
        let options = ImageRequest.Options(tags: ["student:\(id)", "class:\(source.grade)-\(source.classNumber)"])
        let imageRequest: ImageRequest
        switch source.place {
        case .local(let id): imageRequest = ImageRequest(provider: media.provider(of: id), options: options)
        case .url(let url): imageRequest = ImageRequest(url: url, options: options)
        case nil: return try await placeholder(.noPhoto, request, query, student: id)
        }
        return try await photo(imageRequest, request, query, route: .photo, student: id, recordsEpoch: epoch)
    }

    func image(_ request: HTTPRequest) async throws(Problem) -> HTTPAnswer {
        let query = try PhotoQuery(request.target)
        guard let url = try request.target.single("url") else {
            throw .missing("url", accepted: "an http or https URL of an allow-listed host")
        }
        return try await photo(ImageRequest(url: url), request, query, route: .image)
    }

    func signedImage(_ request: HTTPRequest, signature: String, encodedURL: String) async throws(Problem) -> HTTPAnswer
    {
        guard let signer = settings.current.signer else {
            throw Problem(403, .notPermitted, "no signing key is configured, so no signature can be valid")
        }
        let query = try PhotoQuery(request.target)
        let signed: (url: String, validUntil: Int)
        do throws(ImageURLSigner.Refusal) {
            signed = try signer.verify(
                signature: signature, encodedURL: encodedURL, variant: query.variant.text, now: settings.current.now())
        } catch {
            let message = error == .expired ? "the signature has expired" : "the signature does not fit this URL"
            throw Problem(403, .notPermitted, message, fields: [("Halcyon-Reason", error.token)])
        }
        return try await photo(
            ImageRequest(url: signed.url), request, query, route: .image, access: .anyone, validUntil: signed.validUntil
        )
    }

    // MARK: Parts

    static let noStudent = Problem.notFound("there is no student with this id")

    /// - Parameter student: whose photo it is, for a placeholder with initials.
    func photo(
        _ imageRequest: ImageRequest, _ request: HTTPRequest, _ query: PhotoQuery, route: RouteClass,
        student: Int? = nil, access: Access = .role(.viewer), recordsEpoch: Int? = nil, validUntil: Int = .max,
        isRemembered: Bool = true
    ) async throws(Problem) -> HTTPAnswer {
        var imageRequest = imageRequest
        imageRequest.variant = query.variant
        let isNegotiated = query.variant.isNegotiated
        let accepted = isNegotiated ? request.fields["Accept"] : nil
        imageRequest.options.acceptedTypes = accepted
        do throws(ImagePipeline.Error) {
            let loaded = try await pipeline.load(imageRequest)
            if isRemembered, loaded.isStorable, loaded.isKept, AcceptedKeys.isRememberable(accepted ?? "") {
                let key = loaded.entry.key
                targets.remember(
                    PhotoTarget(
                        rawTarget: request.rawTarget, route: route, access: access, key: key,
                        acceptedKeys: isNegotiated ? AcceptedKeys(accepted ?? "", key) : nil,
                        recordsEpoch: recordsEpoch, validUntil: validUntil))
            }
            let current = settings.current
            let now = current.now()
            let clientSeconds = min(current.clientSeconds, Self.secondsLeft(until: validUntil, now))
            return PhotoAnswer(loaded, isNegotiated: isNegotiated, now: now, clientSeconds: clientSeconds)
                .answer(method: request.method, fields: request.fields)
        } catch {
            if error.reason == .invalidURL, route == .image {
                throw Problem(400, .outOfRange, "url: \(error.description)")
            }
            if error.reason == .invalidVariant { throw Problem(400, .notAllowed, error.description) }
            if error.reason == .invalidOption {
                throw Problem(500, .internal, "the photo cannot be fetched as the service is configured")
            }
            if let failure = PhotoFailure(error) {
                return try await placeholder(failure, request, query, student: student, validUntil: validUntil)
            }
            throw Self.unavailable(error)
        }
    }

    /// For how long an answer may be used whose URL counts until then.
    private static func secondsLeft(until validUntil: Int, _ now: Date) -> Int {
        validUntil == .max ? .max : max(0, validUntil - Int(now.timeIntervalSince1970.rounded(.up)))
    }

    private func placeholder(
        _ failure: PhotoFailure, _ request: HTTPRequest, _ query: PhotoQuery, student: Int? = nil,
        validUntil: Int = .max
    ) async throws(Problem) -> HTTPAnswer {
        let current = settings.current
        let now = current.now()
        var name: String?
        if current.placeholder.showsInitials, let student {
            name = try await orProblem(await records.student(id: student))?.name
        }
        let accepted = query.variant.isNegotiated ? request.fields["Accept"] : nil
        let picture: PlaceholderPicture
        do throws(ImagePipeline.Error) {
            picture = try await current.placeholder.picture(
                of: name, as: query.variant, accepted: accepted, pipeline: pipeline)
        } catch {
            if error.reason == .invalidVariant { throw Problem(400, .notAllowed, error.description) }
            throw Self.unavailable(error)
        }
        return current.placeholder.answer(
            to: failure, with: picture, isNegotiated: query.variant.isNegotiated, method: request.method,
            fields: request.fields, isWanted: query.isPlaceholderWanted, now: now,
            longestSeconds: Self.secondsLeft(until: validUntil, now))
    }

    /// This service is what failed: no placeholder pretends otherwise, and the client is told when to come back.
    static func unavailable(_ error: ImagePipeline.Error) -> Problem {
        let seconds = max(1, error.retryAfter.map { Int($0.components.seconds) } ?? 1)
        return Problem(
            503, .tooManyRequests,
            error.reason == .overload
                ? "too many photos are being fetched or scaled; try again in \(seconds) s" : "the server is stopping",
            fields: [("Retry-After", "\(seconds)"), ("Halcyon-Reason", error.reason.rawValue)])
    }
}
