internal import HalcyonRecords
internal import HalcyonServer

func listStudents(_ invocation: Invocation) async throws -> ExitCode {
    let settings = invocation.settings
    let records = try invocation.records()
    var students: [Student] = []
    var query = StudentQuery(
        grade: settings[Options.grade], classNumber: settings[Options.classNumber],
        nameQuery: settings[Options.query] ?? settings[Options.find], limit: StudentQuery.limitRange.upperBound)
    repeat {
        let page = try await records.students(matching: query)
        students += page.students
        query.after = page.next
    } while query.after != nil

    invocation.show(students.map { StudentRow($0) })
    return .done
}

func addStudent(_ invocation: Invocation) async throws -> ExitCode {
    let settings = invocation.settings
    let (grade, classNumber) = (try invocation.required(Options.grade), try invocation.required(Options.classNumber))
    let number = try invocation.required(Options.number)
    let records = try invocation.records(creating: true)
    let thisYear = try await records.schoolYear()
    let year = settings[Options.schoolYear] ?? thisYear
    let student = try Student(
        id: settings[Options.studentID]
            ?? SchoolYear.studentID(year: year, grade: grade, classNumber: classNumber, number: number),
        grade: grade, classNumber: classNumber, number: number, name: try invocation.required(Options.name),
        profileImageURL: settings[Options.photoURL]
    )
    try await records.add(student)
    invocation.show(student)
    return .done
}

extension Invocation {
    func required<Value>(_ option: Option<Value?>) throws(UsageError) -> Value {
        guard let value = settings[option] else { throw UsageError("\(command.name): needs --\(option.spec.flag)") }
        return value
    }

    /// What the command line says; a grade in the environment is a selection, not a change.
    func change<Value>(_ option: Option<Value?>) -> Value? {
        settings.source(of: option.spec) == .flag ? settings[option] : nil
    }

    func requireStudentChange() throws(UsageError) {
        if settings[Options.withoutPhoto], settings[Options.photoURL] != nil {
            throw UsageError("students edit: --photo-url and --without-photo exclude each other")
        }
        try requireChange(
            [Options.grade, Options.classNumber, Options.number].map(\.spec)
                + [Options.name.spec, Options.photoURL.spec, Options.withoutPhoto.spec])
    }

    /// - Throws: ``UsageError`` if the command line names nothing that is to be changed.
    func requireChange(_ specs: [OptionSpec]) throws(UsageError) {
        guard !specs.contains(where: { settings.source(of: $0) == .flag }) else { return }
        let names = specs.map { "--\($0.flag)" }.joined(separator: ", ")
        throw UsageError("\(command.name): nothing to change: give at least one of \(names)")
    }
}

func editStudent(_ invocation: Invocation) async throws -> ExitCode {
    let settings = invocation.settings
    let id = try invocation.id()
    try invocation.requireStudentChange()
    let records = try invocation.records()
    var patch = StudentPatch()
    patch.grade = invocation.change(Options.grade)
    patch.classNumber = invocation.change(Options.classNumber)
    patch.number = invocation.change(Options.number)
    patch.name = invocation.change(Options.name)
    patch.photo =
        settings[Options.withoutPhoto] ? StudentPatch.Photo.none : invocation.change(Options.photoURL).map { .url($0) }
    guard try await records.student(id: id) != nil else { throw CommandFailure.noStudent(id) }
    let (before, after) = try await records.changeStudent(id: id, patch)
    if before.photo != after.photo || before.profileImageURL != after.profileImageURL {
        _ = try await invocation.dropPhotos(StalePhotos(of: [before], records: records))
    }
    invocation.show(after)
    return .done
}
