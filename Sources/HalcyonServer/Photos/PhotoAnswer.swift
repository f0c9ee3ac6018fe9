internal import Foundation
internal import Halcyon
internal import HalcyonCrypto
internal import HalcyonHTTP
internal import HalcyonStore

/// The answer that carries a photo: fields, conditions and ranges (RFC 9110 §13, §14). Nothing of the origin's header is
/// in it but the date of the last change.
struct PhotoAnswer {
    let entry: CacheEntry
    let status: CacheStatus
    let source: AnswerSource
    /// Whether the request's `Accept` chose the format.
    let isNegotiated: Bool
    let now: Date
    /// How long a client may use the photo without asking again, in seconds.
    let clientSeconds: Int

    init(
        _ entry: CacheEntry, status: CacheStatus, source: AnswerSource, isNegotiated: Bool, now: Date,
        clientSeconds: Int
    ) {
        self.isNegotiated = isNegotiated
        self.entry = entry
        self.status = status
        self.source = source
        self.now = now
        self.clientSeconds = clientSeconds
    }

    /// A hit in memory.
    init(hit entry: CacheEntry, isNegotiated: Bool, now: Date, clientSeconds: Int) {
        let left = entry.metadata.expiresAt.map { Int($0.timeIntervalSince(now)) }
        self.init(
            entry, status: CacheStatus(.hit, timeToLive: left), source: .memory, isNegotiated: isNegotiated, now: now,
            clientSeconds: clientSeconds)
    }

    init(_ loaded: LoadedEntry, isNegotiated: Bool = false, now: Date, clientSeconds: Int) {
        let entry = loaded.entry
        let left = entry.metadata.expiresAt.map { Int($0.timeIntervalSince(now)) }
        var source: AnswerSource
        let status: CacheStatus
        switch loaded.source {
        case .memory:
            source = .memory
            status = CacheStatus(.hit, timeToLive: left)
        case .disk:
            source = .disk
            status = CacheStatus(.hit, timeToLive: left, detail: "disk")
        case .rendered:
            source = .disk
            status = CacheStatus(.hit, timeToLive: left, detail: "rendered")
        case .provider:
            source = .disk
            status = CacheStatus(.hit, timeToLive: left, detail: "local")
        case .origin:
            source = .origin
            status = CacheStatus(
                .forwarded(loaded.replacesStale ? .stale : .uriMiss),
                forwardedStatus: loaded.replacesStale ? 200 : nil, timeToLive: left,
                isStored: loaded.isStorable && loaded.isKept,
                isCollapsed: loaded.isShared)
        case .revalidated:
            source = .revalidated
            status = CacheStatus(
                .forwarded(.stale), forwardedStatus: 304, timeToLive: left,
                isStored: loaded.isStorable && loaded.isKept,
                isCollapsed: loaded.isShared)
        case .stale(let reason), .placeholder(let reason):
            source = .stale
            status = CacheStatus(
                PhotoFailure.asksNobody(reason) ? .hit : .forwarded(.stale), timeToLive: left, detail: reason.rawValue)
        }
        if loaded.isShared && source == .origin { source = .coalesced }
        self.init(
            entry, status: status, source: source, isNegotiated: isNegotiated, now: now, clientSeconds: clientSeconds)
    }

    /// Strong: made from the very bytes that are sent.
    static func entityTag(_ entry: CacheEntry) -> String {
        "\"" + entry.metadata.digest.hex.prefix(32) + "\""
    }

    private var lastModified: Date? {
        entry.metadata.originLastModified.flatMap { HTTPDate.parse($0, now: now) }
    }

    /// With the bytes, or 304, 412, 206 or 416 as the request's conditions and range ask.
    func answer(method: String, fields: HTTPFields) -> HTTPAnswer {
        let tag = EntityTag(Self.entityTag(entry))
        let whole = 0..<entry.bytes.count
        switch Preconditions.evaluate(
            method: method, fields: fields, entityTag: tag, lastModified: lastModified, now: now)
        {
        case .notModified: return answer(304, validatorFields, whole)
        case .failed:
            return Self.preconditionFailed.of(.photo, source)
        case .proceed: break
        }
        let range = Preconditions.range(
            method: method, fields: fields, length: whole.count, entityTag: tag, lastModified: lastModified, now: now)
        switch range {
        case .whole: return answer(200, allFields, whole)
        case .partial(let part):
            let position = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(whole.count)"
            return answer(206, allFields + [("Content-Range", position)], part)
        case .unsatisfiable:
            return RecordsAnswer.failure(416, .outOfRange, "Range: the photo has \(whole.count) bytes").with([
                ("Content-Range", "bytes */\(whole.count)")
            ]).of(.photo, source)
        }
    }

    /// About the request, so nothing of the photo's is in it, and no cache keeps it (RFC 9111 §3).
    static var preconditionFailed: HTTPAnswer {
        RecordsAnswer.failure(412, .notAllowed, "the photo is not the one that the condition names")
    }

    /// With the bytes, whatever the request asks.
    var whole: HTTPAnswer { answer(200, allFields, 0..<entry.bytes.count) }

    private func answer(_ status: Int, _ fields: [(String, String)], _ part: Range<Int>) -> HTTPAnswer {
        HTTPAnswer(status: status, fields: fields, body: .entry(entry.bytes, part)).of(.photo, source)
    }

    private var allFields: [(String, String)] {
        let type = entry.metadata.contentType
        return [("Content-Type", type)] + validatorFields + [
            ("Accept-Ranges", "bytes"),
            // A fixed name: nothing of the URL or the origin.
            ("Content-Disposition", "inline; filename=\"photo.\(Self.fileExtension(type))\""),
        ]
    }

    /// What a 304 repeats (RFC 9110 §15.4.5).
    private var validatorFields: [(String, String)] {
        let age = max(0, Int(entry.age(at: now)))
        let left = entry.metadata.expiresAt.map { max(0, Int($0.timeIntervalSince(now))) } ?? clientSeconds
        var fields = [("ETag", Self.entityTag(entry))]
        if let lastModified { fields.append(("Last-Modified", HTTPDate.format(lastModified))) }
        // A client subtracts Age; what is left is what it may use.
        fields.append(("Cache-Control", "private, max-age=\(age + min(left, clientSeconds))"))
        fields.append(("Age", "\(age)"))
        fields.append(("Cache-Status", status.description))
        if isNegotiated { fields.append(("Vary", "Accept")) }
        return fields
    }

    private static func fileExtension(_ contentType: String) -> String {
        switch contentType {
        case "image/jpeg": "jpg"
        case "image/png": "png"
        case "image/gif": "gif"
        case "image/webp": "webp"
        case "image/avif": "avif"
        case "image/heic": "heic"
        case "image/bmp": "bmp"
        case "image/tiff": "tiff"
        case "image/svg+xml": "svg"
        case "application/pdf": "pdf"
        default: "img"
        }
    }
}

extension HTTPAnswer {
    func of(_ route: RouteClass, _ source: AnswerSource = .none) -> HTTPAnswer {
        var answer = self
        answer.route = route
        answer.source = source
        return answer
    }
}
