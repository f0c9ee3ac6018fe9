internal import Foundation
internal import HalcyonHTTP
internal import HalcyonStore

/// A request to a mount with what follows from it.
struct MountExchange: Sendable {
    let request: MountRequest
    /// At the origin, as it is sent.
    let target: String
    /// What is stored is found by it; `nil` where the target makes no URL.
    let url: CanonicalURL?
    let key: CacheKey?
    /// As they go on to the origin, without conditions of this cache.
    var fields: HTTPFields

    var method: String { request.method }
    var mount: Mount { request.mount }
    var isHead: Bool { method == "HEAD" }
    var isReadOnly: Bool { method == "GET" || method == "HEAD" }

    /// `nil` if the target is not below the mount.
    init?(_ request: MountRequest, fields: HTTPFields) {
        guard let target = request.mount.target(of: Mount.path(request.rawTarget)) else { return nil }
        self.request = request
        self.target = target
        self.fields = fields
        let mount = request.mount
        do throws(URLProblem) {
            let url = try CanonicalURL(mount.origin.origin + target)
            let keyURL = url.droppingQueryItems(named: mount.policy.ignoredQueryItems)
            self.url = url
            // Spellings that mean the same by RFC 3986 may not to the origin: they share a purge, not an entry.
            let isPlain = keyURL.text == mount.origin.origin + target || keyURL != url || url.target == target
            key = .response(url: keyURL.text, mount: mount.path, variant: isPlain ? "" : target)
        } catch {
            (url, key) = (nil, nil)
        }
    }

    func streamRequest(_ fields: HTTPFields? = nil) -> StreamRequest {
        StreamRequest(method: method, origin: mount.origin, target: target, fields: fields ?? self.fields)
    }
}

extension Mount {
    /// The path and query of a request target in origin-form or absolute-form.
    static func path(_ raw: [UInt8]) -> Substring {
        let text = String(decoding: raw, as: UTF8.self)
        let lowered = text.prefix(8).lowercased()
        for scheme in ["http://", "https://"] where lowered.hasPrefix(scheme) {
            let rest = text.dropFirst(scheme.count)
            guard let slash = rest.firstIndex(where: { $0 == "/" || $0 == "?" }) else { return "/" }
            return rest[slash...]
        }
        return text[...]
    }
}
