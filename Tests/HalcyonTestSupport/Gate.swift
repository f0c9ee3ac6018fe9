/// Holds tasks and threads until somebody opens it. Open stays open.
package final class Gate: Sendable {
    private let isOpen = Watched(false)

    package init() {}

    package func open() {
        isOpen.update { $0 = true }
    }

    package func wait() async {
        await isOpen.wait { $0 }
    }

    /// Blocks the calling thread: for scripts of a ``ScriptedOrigin``.
    package func waitBlocking() {
        isOpen.waitBlocking { $0 }
    }
}
