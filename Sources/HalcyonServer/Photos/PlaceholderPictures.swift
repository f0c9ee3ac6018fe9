internal import Halcyon
internal import HalcyonCrypto
internal import HalcyonImage
internal import HalcyonStore
internal import Synchronization

/// A placeholder as it is sent.
struct PlaceholderPicture: Sendable {
    let bytes: EntryBytes
    let contentType: String
    let entityTag: String

    init(_ bytes: [UInt8], contentType: String) {
        self.bytes = EntryBytes(copying: bytes)
        self.contentType = contentType
        entityTag = "\"placeholder-" + Digest(of: bytes).hex.prefix(20) + "\""
    }
}

/// Placeholders in the sizes and formats that were asked for. Bounded; made anew where forgotten.
final class PlaceholderPictures: Sendable {
    private static let limitBytes = 8 << 20

    private struct State {
        var pictures: [String: PlaceholderPicture] = [:]
        var bytes = 0
    }

    private let state = Mutex(State())

    func picture(
        _ key: String, make: () async throws(ImagePipeline.Error) -> RenderedImage
    ) async throws(ImagePipeline.Error) -> PlaceholderPicture {
        if let kept = state.withLock({ $0.pictures[key] }) { return kept }
        let image = try await make()
        let picture = PlaceholderPicture(image.bytes, contentType: image.format.contentType)
        state.withLock { state in
            if state.bytes + image.bytes.count > Self.limitBytes { state = State() }
            if state.pictures.updateValue(picture, forKey: key) == nil { state.bytes += image.bytes.count }
        }
        return picture
    }
}
