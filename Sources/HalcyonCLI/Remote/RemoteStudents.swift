internal import HalcyonClient

extension Remote {
    /// Pages asked for at a time.
    private static let pageLimit = 500

    @Sendable static func listStudents(_ invocation: Invocation, _ halcyon: HalcyonProvider) async throws {
        let settings = invocation.settings
        var filter = StudentFilter(
            grade: settings[Options.grade], classNumber: settings[Options.classNumber],
            name: settings[Options.query] ?? settings[Options.find],
            limit: pageLimit)
        var rows: [StudentRow] = []
        repeat {
            let page = try await halcyon.students(filter).get()
            rows += page.items.map(StudentRow.init)
            filter.after = page.next
        } while filter.after != nil
        invocation.show(rows)
    }

    @Sendable static func showStudent(_ invocation: Invocation, _ halcyon: HalcyonProvider) async throws {
        invocation.show(StudentRow(try await halcyon.student(id: try invocation.id()).get()))
    }

    @Sendable static func addStudent(_ invocation: Invocation, _ halcyon: HalcyonProvider) async throws {
        let settings = invocation.settings
        let student = NewStudent(
            id: settings[Options.studentID], schoolYear: settings[Options.schoolYear],
            grade: try invocation.required(Options.grade), classNumber: try invocation.required(Options.classNumber),
            number: try invocation.required(Options.number), name: try invocation.required(Options.name),
            profileImageURL: settings[Options.photoURL])
        invocation.show(StudentRow(try await halcyon.add(student).get()))
    }

    @Sendable static func editStudent(_ invocation: Invocation, _ halcyon: HalcyonProvider) async throws {
        let id = try invocation.id()
        let change = StudentChange(
            grade: invocation.change(Options.grade), classNumber: invocation.change(Options.classNumber),
            number: invocation.change(Options.number), name: invocation.change(Options.name),
            profileImageURL: invocation.photoChange())
        try invocation.requireStudentChange()
        invocation.show(StudentRow(try await halcyon.changeStudent(id: id, change).get()))
    }

    @Sendable static func removeStudent(_ invocation: Invocation, _ halcyon: HalcyonProvider) async throws {
        let id = try invocation.id()
        _ = try await halcyon.removeStudent(id: id).get()
        invocation.console.print("removed student \(id)")
    }
}

extension Invocation {
    fileprivate func photoChange() -> FieldChange<String> {
        if settings[Options.withoutPhoto] { return .none }
        return change(Options.photoURL).map { .value($0) } ?? .unchanged
    }
}

extension StudentRow {
    init(_ student: Student) {
        self.init(
            id: student.id, grade: student.grade, classNumber: student.classNumber, number: student.number,
            name: student.name, photo: student.profileImageURL, profileImageURL: student.profileImageURL)
    }
}
