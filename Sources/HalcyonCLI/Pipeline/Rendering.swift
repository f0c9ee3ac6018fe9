internal import Synchronization

/// Where pictures are decoded: in processes of their own, if this one is the `halcyon` command. Another program that runs
/// the commands, a test for one, cannot be started as a decoder.
enum Rendering {
    private static let isCommand = Atomic<Bool>(false)

    static var isIsolated: Bool { isCommand.load(ordering: .relaxed) }

    static func isolate() { isCommand.store(true, ordering: .relaxed) }
}
