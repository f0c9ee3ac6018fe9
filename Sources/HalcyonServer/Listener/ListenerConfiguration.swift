internal import Foundation

/// How connections are taken and what one of them may use. All times are in whole seconds: they are measured by a
/// sweep once a second.
package struct ListenerConfiguration: Sendable, Hashable {
    package enum Defaults {
        package static let maximumConnections = 1024
        /// Holds the request line, the header and the answer's header; libmicrohttpd clears all of it between two
        /// requests of a connection, so that more costs time on every hit.
        package static let connectionMemoryBytes = 16 << 10
        package static let maximumHeaderBytes = 8 << 10
        package static let maximumBodyBytes = 64 << 10
        package static let maximumExcessBytes = 16 << 20
        package static let idleSeconds = 30
        package static let headerSeconds = 10
        package static let bodySeconds = 30
        package static let answerSeconds = 600
        package static let maximumUploads = 16
        package static let uploadSeconds = 120
        package static let uploadBytesPerSecond = 8 << 10
    }

    package var address: ListenAddress
    /// PEM files; both or neither.
    package var certificatePath: String?
    package var keyPath: String?
    /// `nil` means one a processor.
    package var threads: Int?
    package var maximumConnections = Defaults.maximumConnections
    /// `nil` means no limit: behind a proxy all clients share one address.
    package var maximumConnectionsPerAddress: Int?
    package var connectionMemoryBytes = Defaults.connectionMemoryBytes
    /// Field names and values together; above it 431.
    package var maximumHeaderBytes = Defaults.maximumHeaderBytes
    /// Above it 413.
    package var maximumBodyBytes = Defaults.maximumBodyBytes
    /// How much of a body beyond its limit is read and thrown away, so that a client that reads its answer last gets it.
    package var maximumExcessBytes = Defaults.maximumExcessBytes
    /// A connection on which nothing arrives or leaves for so long is closed.
    package var idleSeconds = Defaults.idleSeconds
    /// From the request line to the end of the header, however steadily bytes drip in.
    package var headerSeconds = Defaults.headerSeconds
    /// From the end of the header to the end of the body.
    package var bodySeconds = Defaults.bodySeconds
    /// From the end of the header to the end of a body that is kept in a file; what has arrived prolongs it.
    package var uploadSeconds = Defaults.uploadSeconds
    /// How many bytes of such a body are worth a further second: a slow link has the time that its rate asks for, one that
    /// lets bytes drip in does not.
    package var uploadBytesPerSecond = Defaults.uploadBytesPerSecond
    /// Bodies in files at once, until their routes are done with them; above it 503.
    package var maximumUploads = Defaults.maximumUploads
    /// Where they are: made if it is missing, for this user alone.
    package var uploadFolder = FileManager.default.temporaryDirectory.path
    /// From the whole request to the last byte of its answer: bounds clients that read a byte now and then. For a stream,
    /// how long a client may take to read what is there.
    package var answerSeconds = Defaults.answerSeconds

    package init(address: ListenAddress) {
        self.address = address
    }
}
