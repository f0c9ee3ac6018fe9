internal import HalcyonImage
internal import HalcyonServer

extension Command {
    static let sheet = Command(
        path: ["sheet"], summary: "write a class on one page, with number and name under each face",
        options: [
            Options.grade.spec, Options.classNumber.spec, Options.output.spec, Options.sheetFormat.spec,
            Options.columns.spec, Options.width.spec, Options.sheetTitle.spec,
        ],
        details: [
            "The format follows from the end of the file's name (.jpg, .png, .pdf) where --format does not say it; a PDF is one "
                + "page of A4, to be printed. Photos come from the caches, else from their origin; who has none is drawn as "
                + "--placeholder says."
        ],
        run: writeSheet
    )
}

private func writeSheet(_ invocation: Invocation) async throws -> ExitCode {
    let settings = invocation.settings
    let (grade, classNumber) = (try invocation.required(Options.grade), try invocation.required(Options.classNumber))
    guard let path = settings[Options.output] else {
        throw UsageError("sheet: needs -o FILE, or -o - for standard output")
    }
    let options = ContactSheet.Options(
        columns: settings[Options.columns], width: settings[Options.width],
        format: try settings[Options.sheetFormat] ?? format(ofName: path),
        title: settings[Options.sheetTitle] ?? "\(grade)-\(classNumber)",
        initials: settings[Options.placeholder] == "initials")
    let records = try invocation.records()
    let (page, signal) = try await interruptible {
        try await invocation.withPipeline(logger: invocation.logger(isQuiet: true), ignoring: .failures) { pipeline in
            let sheet = ClassSheet(pipeline: pipeline, records: records, media: settings.mediaStore)
            let students = try await sheet.students(grade: grade, classNumber: classNumber)
            guard !students.isEmpty else { throw CommandFailure("there is nobody in class \(grade)-\(classNumber)") }
            return (try await sheet.page(of: students, options: options), students.count)
        }
    }
    guard signal == nil else { throw CancellationError() }
    try FileBytes.write(page.0.bytes, to: path, console: invocation.console)
    invocation.console.say("\(counted(page.1, "student")), \(page.0.withoutPhoto) without a photo")
    return .done
}

private func format(ofName path: String) throws -> ContactSheet.Format {
    let name = path.lowercased()
    if name.hasSuffix(".pdf") { return .pdf }
    if name.hasSuffix(".png") { return .png }
    guard path == "-" || name.hasSuffix(".jpg") || name.hasSuffix(".jpeg") else {
        throw UsageError("sheet: the name of the file ends in none of .jpg, .png and .pdf; --format says it then")
    }
    return .jpeg
}
