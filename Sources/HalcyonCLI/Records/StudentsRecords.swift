internal import HalcyonRecords

func listStudents(_ invocation: Invocation) async throws -> ExitCode {
    let settings = invocation.settings
    let records = try invocation.records()
    var students: [Student] = []
    var query = StudentQuery(
        grade: settings[Options.grade], classNumber: settings[Options.classNumber],
        nameQuery: settings[Options.find], limit: StudentQuery.limitRange.upperBound)
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
    let year = settings[Options.schoolYear] ?? SchoolYear.current()
    let student = try Student(
        id: settings[Options.studentID]
            ?? SchoolYear.studentID(year: year, grade: grade, classNumber: classNumber, number: number),
        grade: grade, classNumber: classNumber, number: number, name: try invocation.required(Options.name),
        profileImageURL: settings[Options.photoURL]
    )
    try await invocation.records(creating: true).add(student)
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
    guard let before = try await records.student(id: id) else { throw CommandFailure.noStudent(id) }
    let after = try Student(
        id: id, grade: invocation.change(Options.grade) ?? before.grade,
        classNumber: invocation.change(Options.classNumber) ?? before.classNumber,
        number: invocation.change(Options.number) ?? before.number,
        name: invocation.change(Options.name) ?? before.name,
        profileImageURL: settings[Options.withoutPhoto]
            ? nil : invocation.change(Options.photoURL) ?? before.profileImageURL
    )
    try await records.update(after)
    if settings[Options.withoutPhoto] { try await records.clearPhoto(studentID: id) }
    invocation.show(try await records.student(id: id) ?? after)
    return .done
}
