internal import HalcyonImage
internal import Synchronization

/// Where pictures are decoded: in processes of their own, if this one is the `halcyon` command. Another program that runs
/// the commands, a test for one, cannot be started as a decoder.
enum Rendering {
    private static let isCommand = Atomic<Bool>(false)

    static var isIsolated: Bool { isCommand.load(ordering: .relaxed) }

    /// The drawn placeholder. Another process draws it where it may: the libraries for it are most of the memory that a server
    /// at rest would hold.
    static func silhouette() throws -> [UInt8] {
        guard isIsolated else { return try Placeholder.silhouette() }
        let pool = DecoderPool()
        defer { pool.stop() }
        let variant = Variant.original.resolved(accept: .unknown, source: Placeholder.source)
        return try Placeholder.rendered(.silhouette, as: variant) {
            (job, bytes, limits, timeLimit) throws(RenderError) in
            try pool.perform(job, on: bytes, limits: limits, timeLimit: timeLimit)
        }.bytes
    }

    static func isolate() { isCommand.store(true, ordering: .relaxed) }
}
