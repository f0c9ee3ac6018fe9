internal import CSodium

/// libsodium must be initialised before its random generator and its fastest code paths may be used.
enum Sodium {
    private static let status = sodium_init()

    /// Called at the head of every entry point; after the first call it costs one load.
    static func initialize() {
        precondition(status >= 0, "libsodium could not be initialised")
    }
}
