internal import CCurl
internal import Glibc
internal import Synchronization

/// A thread of our own, joined exactly once.
final class TransferThread: Sendable {
    private final class Start: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    private let thread: Mutex<pthread_t?>

    init(_ body: @escaping @Sendable () -> Void) throws(FetchError) {
        var thread = pthread_t()
        let start = Unmanaged.passRetained(Start(body))
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                halcyon_name_thread("halcyon-fetch")
                Unmanaged<Start>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, start.toOpaque())
        guard code == 0 else {
            start.release()
            throw .setup(Int(code))
        }
        self.thread = Mutex(thread)
    }

    /// Waits for the end of the thread, or lets it end alone if that is the thread we are on.
    func join() {
        let thread = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        guard let thread else { return }
        if pthread_equal(thread, pthread_self()) != 0 {
            pthread_detach(thread)
        } else {
            pthread_join(thread, nil)
        }
    }
}
