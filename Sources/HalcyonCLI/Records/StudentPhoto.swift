internal import Halcyon
internal import HalcyonRecords
internal import HalcyonServer

extension Settings {
    var mediaFolder: String {
        self[Options.mediaDirectory] ?? MediaStore.folder(besideDatabase: self[Options.database])
    }

    /// The images that belong to records.
    var mediaStore: MediaStore { MediaStore(path: mediaFolder) }
}

extension Command {
    static let studentsPhoto = Command(
        path: ["students", "photo"], summary: "give one pupil a photo of its own, or none", operands: "ID [FILE]",
        operandCount: 1...2, operandCompletion: .files, options: [Options.remove.spec, Options.json.spec],
        details: [
            "The file is checked as a fetched photo is, and copied to --media-dir. It comes before the photo's URL, which "
                + "stays recorded. With --remove there is no photo any more, neither the file nor the URL."
        ],
        run: changeStudentPhoto
    )
}

private func changeStudentPhoto(_ invocation: Invocation) async throws -> ExitCode {
    let settings = invocation.settings
    let id = try invocation.id()
    let file = invocation.operands.dropFirst().first
    guard (file != nil) != settings[Options.remove] else {
        throw UsageError("students photo: needs a FILE or --remove, and not both")
    }
    let records = try invocation.records()
    guard try await records.student(id: id) != nil else { throw CommandFailure.noStudent(id) }
    if let file {
        let photo = try await invocation.take(file, records: records)
        invocation.show(try await records.setPhoto(studentID: id, media: photo))
    } else {
        invocation.show(try await records.clearPhoto(studentID: id))
    }
    return .done
}

extension Invocation {
    fileprivate func take(_ file: String, records: RecordStore) async throws -> MediaID {
        guard !FileBytes.isFolder(file) else { throw CommandFailure("\(file) is a folder; accepted is an image file") }
        let intake = MediaIntake(
            store: settings.mediaStore, records: records, limits: try settings.pipelineConfiguration().limits)
        do throws(MediaIntake.Failure) {
            return try await intake.take(fileAt: file, isMoved: false)
        } catch {
            throw CommandFailure("\(file): \(error)")
        }
    }
}
