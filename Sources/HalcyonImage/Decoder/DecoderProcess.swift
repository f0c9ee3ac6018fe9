internal import CVips
internal import Glibc

/// One child that decodes for us: whatever a picture does to a decoder, it does there. It is started when it is first
/// needed, serves one picture after the other, and is started anew after a crash or when it was killed for its time.
///
/// Not for several threads at once: see `DecoderPool`.
final class DecoderProcess {
    /// What a child needs to find its libraries, and nothing that is secret.
    private static let environment = ["LD_LIBRARY_PATH", "LANG", "PATH", "TMPDIR"]

    private static let startLimit: Duration = .seconds(20)
    /// More than any picture of 4096 × 4096 takes, or of the default pixel limit without loss.
    private static let maximumAnswerBytes = 256 << 20

    private struct Child {
        let process: pid_t
        let channel: DecoderChannel
    }

    private let executable: String
    private var child: Child?

    /// - Parameter executable: calls `DecoderWorker.runIfAsked` first thing in its `main`.
    init(executable: String) { self.executable = executable }

    deinit { stop() }

    var isRunning: Bool { child != nil }

    /// As `RenderJob.here`; also `crashed`. The limit is kept whatever the decoder is at.
    func perform(
        _ job: RenderJob, on bytes: [UInt8], limits: ImageLimits, timeLimit: Duration
    ) throws(RenderError) -> RenderedImage {
        let channel = try running()
        let outcome: Result<RenderedImage, RenderError>
        do throws(DecoderChannel.Failure) {
            try channel.place(bytes)
            let text = Array(job.text.utf8)
            let request = DecoderRequest(
                jobCount: text.count, byteCount: bytes.count, limits: limits, timeLimit: timeLimit)
            try channel.send(request.numbers, text)
            // The child minds the limit itself where it can, and then need not be killed.
            outcome = try answer(channel, to: job, until: .now + timeLimit + max(timeLimit / 4, .milliseconds(50)))
        } catch {
            stop()
            throw error == .timeout ? .tooSlow : .crashed
        }
        channel.release(bytes.count)
        return try outcome.get()
    }

    /// What a child sends is believed no more than what an origin sends.
    private func answer(
        _ channel: DecoderChannel, to job: RenderJob, until deadline: ContinuousClock.Instant
    ) throws(DecoderChannel.Failure) -> Result<RenderedImage, RenderError> {
        let numbers = try channel.receiveNumbers(4, until: deadline).map(Int.init)
        guard (0...Self.maximumAnswerBytes).contains(numbers[3]) else { throw .closed }
        let bytes = try channel.receive(numbers[3], until: deadline)
        guard numbers[0] == 0 else {
            guard let error = RenderError(text: String(decoding: bytes, as: UTF8.self)) else { throw .closed }
            return .failure(error)
        }
        do throws(ImageError) {
            let info = try ImageProbe.probe(bytes, limits: ImageLimits(maximumPixels: .max, maximumFrames: .max))
            guard info.format == job.format, info.pixelWidth == numbers[1], info.pixelHeight == numbers[2] else {
                throw .malformed(job.format)
            }
        } catch {
            throw .closed
        }
        return .success(RenderedImage(bytes: bytes, format: job.format, width: numbers[1], height: numbers[2]))
    }

    private func running() throws(RenderError) -> DecoderChannel {
        if let child, child.channel.isQuiet { return child.channel }
        // One that died while nothing was asked of it costs nobody a picture.
        stop()
        let child = try start()
        self.child = child
        do throws(DecoderChannel.Failure) {
            _ = try child.channel.receiveNumbers(1, until: .now + Self.startLimit)
        } catch {
            stop()
            throw .library("the decoding process does not start")
        }
        return child.channel
    }

    private func start() throws(RenderError) -> Child {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw Self.failure("socketpair", errno)
        }
        ends[1] = Self.aboveInherited(ends[1])
        defer { close(ends[1]) }
        let memory = Self.aboveInherited(halcyon_memory_file("halcyon-original"))
        guard memory >= 0, ends[1] >= 0 else {
            let code = errno
            for descriptor in [ends[0], memory] where descriptor >= 0 { close(descriptor) }
            throw Self.failure("memfd_create", code)
        }
        var process = pid_t()
        let code = spawn(socket: ends[1], memory: memory, &process)
        guard code == 0 else {
            close(ends[0])
            close(memory)
            throw Self.failure("posix_spawn", code)
        }
        return Child(process: process, channel: DecoderChannel(socket: ends[0], memory: memory))
    }

    /// The same file under a number that no descriptor of the child has, so that placing one there cannot close another.
    /// `-1` stays what it is.
    private static func aboveInherited(_ descriptor: Int32) -> Int32 {
        guard descriptor >= 0 else { return descriptor }
        let (socket, memory) = (DecoderChannel.inherited.socket, DecoderChannel.inherited.memory)
        let moved = fcntl(descriptor, F_DUPFD_CLOEXEC, max(socket, memory) + 1)
        close(descriptor)
        return moved
    }

    /// In a group of its own, so that Ctrl-C at the terminal lets us finish; with no signal blocked or ignored.
    private func spawn(socket: Int32, memory: Int32, _ process: inout pid_t) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_adddup2(&actions, socket, DecoderChannel.inherited.socket)
        posix_spawn_file_actions_adddup2(&actions, memory, DecoderChannel.inherited.memory)
        for descriptor in 0...2 as ClosedRange<Int32> {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

        let settings = Self.environment.compactMap { name in getenv(name).map { name + "=" + String(cString: $0) } }
        let words = [executable, DecoderWorker.argument]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { word in strdup(word) } + [nil]
        var environment: [UnsafeMutablePointer<CChar>?] = settings.map { setting in strdup(setting) } + [nil]
        defer { for pointer in arguments + environment { free(pointer) } }
        return posix_spawn(&process, executable, &actions, &attributes, &arguments, &environment)
    }

    private static func failure(_ call: String, _ code: Int32) -> RenderError {
        .library("the decoding process cannot be started: \(call): \(String(cString: strerror(code)))")
    }

    func stop() {
        guard let child else { return }
        self.child = nil
        kill(child.process, SIGKILL)
        close(child.channel.socket)
        close(child.channel.memory)
        while waitpid(child.process, nil, 0) < 0, errno == EINTR {}
    }
}
