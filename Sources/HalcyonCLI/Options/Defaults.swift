/// Defaults that no lower module owns, and names for those that one does.
enum Defaults {
    static let cacheDirectory = "cache"
    static let database = "records.sqlite"
    static let memoryLimit = 256 << 20
    static let memoryExpiry = Duration.seconds(300)
    static let diskLimit = 2 << 30
    static let diskExpiry = "7d"
    static let staleIfError = Duration.seconds(7 * 86400)
    static let negativeExpiry = Duration.seconds(60)

    static let connectTimeout = Duration.seconds(3)
    static let timeout = Duration.seconds(15)
    static let lowSpeedBytes = 100
    static let lowSpeedTime = Duration.seconds(5)
    static let retries = 3
    static let perHost = 8
    static let maxTransfers = 64
    static let maxRedirects = 5
    static let maxImageBytes = 10 << 20
    static let maxPixels = 50_000_000

    static let listen = "127.0.0.1:8080"
    static let shutdownGrace = Duration.seconds(10)
    static let maxConnections = 1024
    static let idleTimeout = Duration.seconds(30)
    static let concurrency = 16
    static let demoStudents = 300
}
