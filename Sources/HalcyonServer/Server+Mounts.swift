internal import Halcyon
internal import HalcyonHTTP

extension Server {
    /// The first segments of the paths of Halcyon's own routes, which no mount takes; known before there is a server to ask.
    static let ownSegments: Set<String> = [
        "audit", "cache", "certi", "classes", "events", "guidances", "healthz", "images", "metrics", "mypage",
        "noticeBoards", "openapi.json", "readyz", "students", "user", "users",
    ]

    /// The route of Halcyon's own that a mount would hide, or be hidden by; `nil` for one at `/`, which takes what no route
    /// has.
    package static func segmentInTheWay(of mount: Mount) -> String? {
        guard let first = mount.prefix.split(separator: "/").first.map(String.init) else { return nil }
        return ownSegments.contains(first) ? first : nil
    }

    /// `nil` without mounts, and where libcurl does not work: then each request is told so.
    static func streamClient(_ mounts: [Mount], _ pipeline: ImagePipeline, _ logger: Logger) -> StreamClient? {
        guard !mounts.isEmpty else { return nil }
        do throws(FetchError) {
            return try StreamClient(configuration: Mount.fetchConfiguration(mounts, pipeline.fetchConfiguration))
        } catch {
            logger.log(.error, "mounts", ["problem": .text(error.description)])
            return nil
        }
    }
}
