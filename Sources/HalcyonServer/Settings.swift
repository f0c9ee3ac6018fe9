internal import Foundation
internal import Synchronization

/// What may change while the server runs, in the form in which it is used.
struct Settings: Sendable {
    var placeholder: PlaceholderAnswer
    var signer: ImageURLSigner?
    /// How long a client may use a photo without asking again, in seconds.
    var clientSeconds: Int
    var photoURLs: PhotoURLs
    /// Wall time.
    var now: @Sendable () -> Date

    init(_ configuration: ServerConfiguration) {
        placeholder = PlaceholderAnswer(configuration.placeholder)
        signer = configuration.signingKeys.map(ImageURLSigner.init)
        clientSeconds = configuration.clientSeconds
        photoURLs = configuration.photoURLs
        now = configuration.now
    }
}

final class SettingsBox: Sendable {
    private let value: Mutex<Settings>

    init(_ settings: Settings) {
        value = Mutex(settings)
    }

    var current: Settings {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}
