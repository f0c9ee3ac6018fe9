internal import Glibc
internal import Halcyon
internal import HalcyonRecords
internal import HalcyonServer

extension Command {
    static let get = Command(
        path: ["get"], summary: "write one photo to a file or standard output", operands: "URL|STUDENT_ID",
        operandCount: 1...1,
        options: [
            Options.output.spec, Options.variant.spec, Options.refresh.spec, Options.onlyCached.spec,
        ],
        details: [
            "From the caches if they have it, else from its origin. Without --output it goes to standard output, unless "
                + "that is a terminal."
        ],
        run: getPhoto
    )
}

private func getPhoto(_ invocation: Invocation) async throws -> ExitCode {
    let settings = invocation.settings
    guard let path = settings[Options.output] ?? (isatty(STDOUT_FILENO) == 1 ? nil : "-") else {
        throw UsageError("get: a photo is no text for a terminal: give -o FILE, or -o - if it is meant")
    }
    if settings[Options.refresh], settings[Options.onlyCached] {
        throw UsageError("get: --refresh and --only-cached exclude each other")
    }
    var options = ImageRequest.Options()
    if settings[Options.refresh] { options.cachePolicy = .refresh }
    if settings[Options.onlyCached] { options.cachePolicy = .onlyFromCache }

    var request = ImageRequest(url: invocation.operands[0], options: options)
    if let id = Int(invocation.operands[0]) {
        guard let student = try await invocation.records().student(id: id) else { throw CommandFailure.noStudent(id) }
        // A file of our own is as good as cached.
        if student.photo != nil { options.cachePolicy = .useCache }
        guard let photo = student.photoRequest(media: settings.mediaStore, options: options) else {
            throw CommandFailure("student \(id) has no photo")
        }
        request = photo
    }
    request.variant = settings[Options.variant] ?? .original
    let (bytes, signal) = try await interruptible { [request] in
        try await invocation.withPipeline(
            logger: invocation.logger(isQuiet: true), ignoring: .failures,
            isRequired: settings[Options.onlyCached] && request.provider == nil
        ) { pipeline in
            do {
                return Array(try await pipeline.image(for: request).data)
            } catch let error as ImagePipeline.Error where error.kind == .cancelled {
                throw CancellationError()
            }
        }
    }
    guard signal == nil else { throw CancellationError() }
    try FileBytes.write(bytes, to: path, console: invocation.console)
    return .done
}
