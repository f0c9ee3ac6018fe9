internal import Foundation
internal import HalcyonHTTP
internal import HalcyonImage
internal import HalcyonStore

/// The one place where the failures of the layers below become ours.
extension ImagePipeline.Error {
    static let cancelled = Self(.cancelled, "the load was cancelled")
    static let notCached = Self(.notCached, "no fresh copy is kept, and only the caches were asked")

    init(_ error: FetchError) {
        let description = "\(error)"
        switch error {
        case .refused(let reason, _):
            switch reason {
            case .hostNotAllowed, .schemeNotAllowed: self.init(.blockedHost, description)
            case .addressBlocked: self.init(.blockedAddress, description)
            case .redirectNotAllowed: self.init(.blockedRedirect, description)
            }
        case .tooManyRedirects, .redirectWithoutLocation, .invalidRedirect: self.init(.redirects, description)
        case .resolve: self.init(.resolve, description)
        case .connect: self.init(.connect, description)
        case .tls: self.init(.tls, description)
        case .timeout: self.init(.timeout, description)
        case .bodyTooLarge: self.init(.tooLarge, description)
        case .truncated, .badPartial: self.init(.truncated, description)
        case .unacceptable: self.init(.notAnImage, description)
        case .protocolError: self.init(.protocolError, description)
        case .breakerOpen(let retryAfter): self.init(.breakerOpen, description, retryAfter: retryAfter)
        case .queueFull: self.init(.overload, description, retryAfter: .seconds(1))
        case .cancelled: self = .cancelled
        case .shutDown: self.init(.shutDown, description)
        case .setup: self.init(.invalidOption, description)
        }
    }

    init(_ error: ImageError) {
        self.init(Reason(rawValue: error.token) ?? .notAnImage, "\(error)")
    }

    init(_ error: RenderError) {
        switch error {
        case .image(let error): self.init(error)
        case .tooSlow, .crashed, .library: self.init(.decoder, "\(error)")
        case .tooLarge, .noEncoder: self.init(.invalidVariant, "format: \(error)")
        case .busy(let seconds): self.init(.overload, "\(error)", retryAfter: .seconds(seconds))
        case .cancelled: self = .cancelled
        }
    }

    /// A failure remembered from a moment ago.
    init(_ record: FailureRecord, now: Date) {
        let wait = Duration.seconds(max(0, record.until.timeIntervalSince(now)))
        let fallback: Reason = record.kind == .missing ? .missing : .originStatus
        let reason = Reason(rawValue: record.reason) ?? fallback
        self.init(reason, "failed a moment ago (\(reason.rawValue)), not tried again yet", retryAfter: wait)
    }

    /// Whether a copy past its expiry may stand in for the failure (RFC 5861 §4).
    var mayBeHidden: Bool {
        switch kind {
        case .unavailable, .timeout, .overloaded, .refused: true
        case .invalid, .missing, .notCached, .cancelled: false
        }
    }
}
