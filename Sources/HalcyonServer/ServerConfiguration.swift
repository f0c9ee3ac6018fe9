package import Foundation
package import HalcyonCrypto
internal import HalcyonRecords

package struct ServerConfiguration: Sendable {
    package enum Defaults {
        package static let clientSeconds = 300
        package static let stopSeconds = 10
        package static let heartbeatSeconds = 15
    }

    package var listener: ListenerConfiguration
    /// `--open`: everything is allowed to everyone who reaches an address beyond loopback.
    package var isOpen = false
    package var placeholder: PlaceholderPolicy
    /// Without keys no signed URL is valid.
    package var signingKeys: SigningKeyring?
    /// How long a client may show a photo without asking again, in seconds. With the memory and disk lifetimes it bounds
    /// how long an old photo is seen; asking again costs a 304.
    package var clientSeconds = Defaults.clientSeconds
    package var photoURLs = PhotoURLs.direct
    /// The folder of the images that belong to records.
    package var mediaFolder: String
    /// From the moment `/readyz` says no to the moment the port is closed, for a balancer to notice.
    package var readinessDelay: Duration = .zero
    /// How long answers in progress may take to finish when the server stops.
    package var stopGrace: Duration = .seconds(Defaults.stopSeconds)
    /// When expired photos are purged; `nil` leaves it to the caches' own sweeps.
    package var purgeSchedule: Schedule?
    /// How often something is sent on an event stream on which nothing happens, so that proxies keep it open.
    package var heartbeat: Duration = .seconds(Defaults.heartbeatSeconds)
    /// Where uploads wait for their routes; `nil` for a folder in `mediaFolder`: on the file system of what is kept of them,
    /// so that they are moved.
    package var uploadFolder: String?
    /// Paths that are forwarded to other servers.
    package var mounts: [Mount] = []
    /// Wall time.
    package var now: @Sendable () -> Date = { Date() }

    package init(listener: ListenerConfiguration, placeholder: PlaceholderPolicy, mediaFolder: String) {
        self.listener = listener
        self.mediaFolder = mediaFolder
        self.placeholder = placeholder
        uploadFolder = MediaStore(path: mediaFolder).incomingFolder
    }
}
