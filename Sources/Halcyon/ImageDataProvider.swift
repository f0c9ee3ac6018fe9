/// Where an image comes from that is not fetched from an origin: a file, a database, a drawing.
///
/// ```swift
/// let provider = ImageDataProvider(cacheKey: "logo:2") { Array(try Data(contentsOf: logo)) }
/// let response = try await pipeline.image(for: ImageRequest(provider: provider))
/// ```
public struct ImageDataProvider: Sendable {
    /// What the image is kept under, unless ``ImageRequest/Options/cacheKey`` says otherwise; `purge(.key(…))` finds it.
    /// One key means one image for ever: what changes gets a new key, or a ``ImageRequest/Options/diskExpiration``.
    public let cacheKey: String
    /// Whether a copy goes to the disk cache. Default `false`: for what is a file already, memory is enough.
    public let isKeptOnDisk: Bool
    private let provide: @Sendable () async throws -> [UInt8]

    /// - Parameter data: called when no cache has the image, once however many ask at the same time, and on a thread that
    ///   reading a file may block. What it throws becomes `.provider`, unless it is an ``ImagePipeline/Error``.
    public init(
        cacheKey: String, isKeptOnDisk: Bool = false, data: @escaping @Sendable () async throws -> [UInt8]
    ) {
        self.cacheKey = cacheKey
        self.isKeptOnDisk = isKeptOnDisk
        provide = data
    }

    /// The image's bytes, as they would come from an origin.
    public func data() async throws -> [UInt8] { try await provide() }
}
