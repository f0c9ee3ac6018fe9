internal import CVips
internal import Glibc

/// The other side of `DecoderProcess`: does one job after the other until its parent goes.
package enum DecoderWorker {
    /// The first argument of a process that is to be nothing but a decoder.
    package static let argument = "--halcyon-decoder"

    /// A picture and the libraries must find room in this many bytes a pixel of the limit, and in the base.
    private static let memory = (base: 512 << 20, perPixel: 24)

    /// Runs and ends the process if `arguments` (without the program's name) ask for it; returns at once if not. To be
    /// called first thing in `main`.
    package static func runIfAsked(_ arguments: some Collection<String>) {
        guard arguments.first == argument, arguments.count == 1 else { return }
        let channel = DecoderChannel.inherited
        do throws(DecoderChannel.Failure) {
            confine()
            // Ready, with libvips in place: what follows is pixel work alone.
            // Without it every picture that is asked for is told why.
            _ = Vips.opened
            try channel.send([1])
            while true { try answer(channel) }
        } catch {
            exit(0)
        }
    }

    private static func answer(_ channel: DecoderChannel) throws(DecoderChannel.Failure) {
        let request = DecoderRequest(try channel.receiveNumbers(DecoderRequest.count))
        let text = String(decoding: try channel.receive(request.jobCount), as: UTF8.self)
        limitMemory(pixels: request.limits.maximumPixels)
        let result = try channel.withPlaced(request.byteCount) { bytes in
            Result { () throws(RenderError) in
                guard let job = RenderJob(text: text) else { throw .library("the job is of another version") }
                return try job.perform(on: bytes, limits: request.limits, timeLimit: request.timeLimit)
            }
        }
        switch result {
        case .success(let image):
            try channel.send([0, Int64(image.width), Int64(image.height), Int64(image.bytes.count)], image.bytes)
        case .failure(let error):
            let text = Array(error.text.utf8.prefix(1000))
            try channel.send([1, 0, 0, Int64(text.count)], text)
        }
    }

    /// No core dumps with photos in them, no files, no more rights.
    private static func confine() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &none)
        signal(SIGXFSZ, SIG_IGN)
        _ = halcyon_no_new_privileges()
    }

    /// What wants more is killed by its own failed allocation, not by the system's choice of a victim.
    private static func limitMemory(pixels: Int) {
        let (bytes, overflows) = pixels.multipliedReportingOverflow(by: memory.perPixel)
        guard !overflows else { return }
        var limit = rlimit(rlim_cur: rlim_t(bytes + memory.base), rlim_max: rlim_t.max)
        setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
    }
}
