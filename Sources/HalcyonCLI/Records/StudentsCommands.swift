internal import Glibc
internal import HalcyonRecords
internal import HalcyonServer

extension Command {
    static let studentsImport = Command(
        path: ["students", "import"], summary: "add and update pupils from a roster file", operands: "FILE|-",
        operandCount: 1...1, operandCompletion: .files,
        options: [Options.skipBad.spec, Options.schoolYear.spec, Options.dryRun.spec, Options.json.spec],
        details: [
            "CSV with a header line, columns in any order: id, grade, classNumber, number, name, profileImageURL, or 학년, 반, "
                + "번호, 이름, 사진. UTF-8, UTF-16 and CP949/EUC-KR are recognised, as are comma, semicolon and tab.",
            "A bad row is told with line, column and reason; then nothing is imported, unless --skip-bad says otherwise.",
        ],
        run: importStudents
    )

    static let studentsExport = Command(
        path: ["students", "export"], summary: "write the pupils to a roster file", operands: "FILE|-",
        operandCount: 1...1, operandCompletion: .files,
        options: [
            Options.grade.spec, Options.classNumber.spec, Options.encoding.spec, Options.byteOrderMark.spec,
        ],
        run: exportStudents
    )

    static let studentsList = Command(
        path: ["students", "list"], summary: "list the pupils",
        options: [
            Options.grade.spec, Options.classNumber.spec, Options.query.spec, Options.find.spec,
            Options.json.spec,
        ],
        run: listStudents
    )

    static let studentsShow = Command(
        path: ["students", "show"], summary: "show one pupil", operands: "ID", operandCount: 1...1,
        options: [Options.json.spec]
    ) { invocation in
        let id = try invocation.id()
        guard let student = try await invocation.records().student(id: id) else { throw CommandFailure.noStudent(id) }
        invocation.show(student)
        return .done
    }

    static let studentsAdd = Command(
        path: ["students", "add"], summary: "add one pupil",
        options: [
            Options.studentID.spec, Options.grade.spec, Options.classNumber.spec, Options.number.spec,
            Options.name.spec, Options.photoURL.spec, Options.schoolYear.spec, Options.json.spec,
        ],
        run: addStudent
    )

    static let studentsEdit = Command(
        path: ["students", "edit"], summary: "change one pupil", operands: "ID", operandCount: 1...1,
        options: [
            Options.grade.spec, Options.classNumber.spec, Options.number.spec, Options.name.spec,
            Options.photoURL.spec, Options.withoutPhoto.spec, Options.json.spec,
        ],
        details: ["What is not named stays as it is."],
        run: editStudent
    )

    static let studentsRemove = Command(
        path: ["students", "remove"], summary: "remove one pupil and everything recorded about it", operands: "ID",
        operandCount: 1...1
    ) { invocation in
        let id = try invocation.id()
        let records = try invocation.records()
        guard try await records.student(id: id) != nil else { throw CommandFailure.noStudent(id) }
        let student = try await records.removeStudent(id: id)
        _ = try await invocation.dropPhotos(StalePhotos(of: [student], records: records))
        invocation.console.print("removed student \(id)")
        return .done
    }
}

extension Invocation {
    /// The first operand as a number.
    func id() throws(UsageError) -> Int {
        guard let id = Int(operands[0]), id > 0 else {
            throw UsageError(
                "\(command.name): \"\(Shown.value(operands[0]))\" is not accepted: expected a number above 0")
        }
        return id
    }

    /// The records that there are; a mistyped path is no new database.
    func records() throws -> RecordStore { try records(creating: false) }

    func records(creating isCreated: Bool) throws -> RecordStore {
        let path = settings[Options.database]
        if !isCreated, access(path, F_OK) != 0 {
            throw CommandFailure("--database: there is no file \(path)")
        }
        warnOfReaders()
        return try RecordStore(path: path, isCreated: isCreated)
    }

    /// Names and photos of pupils are not for every account of the machine.
    func warnOfReaders() {
        var status = stat()
        let path = settings[Options.database]
        guard stat(path, &status) == 0, status.st_mode & 0o066 != 0, settings[Options.logLevel] <= .warning else {
            return
        }
        console.say("halcyon: other users can read or change \(path); chmod 600 keeps it private")
    }

    func show(_ student: Student) { show(StudentRow(student)) }
}

extension CommandFailure {
    static func noStudent(_ id: Int) -> CommandFailure { CommandFailure("there is no student \(id)") }
}
