/// Records as commands show them, whether they come from the database here or from a server.
struct StudentRow {
    let id: Int
    let grade: Int
    let classNumber: Int
    let number: Int
    let name: String
    /// Where it is; `nil` without one.
    let photo: String?
    let profileImageURL: String?

    var line: String {
        Shown.text("\(id)  \(grade)-\(classNumber)-\(number)  \(name)") + (photo == nil ? "  (no photo)" : "")
    }

    var card: String {
        """
        id     \(id)
        grade  \(grade)
        class  \(classNumber)
        number \(number)
        name   \(Shown.text(name))
        photo  \(photo.map { Shown.text($0) } ?? "none")
        """
    }

    var json: JSONValue {
        [
            "id": .integer(id), "grade": .integer(grade), "classNumber": .integer(classNumber),
            "number": .integer(number), "name": .string(name),
            "profileImageURL": profileImageURL.map(JSONValue.string) ?? .null,
        ]
    }
}

struct GuidanceRow {
    let id: Int
    let seat: [Int]
    let name: String
    let reason: String
    let detail: String?
    let isDeleted: Bool

    var line: String {
        let place = seat.map(String.init).joined(separator: "-")
        return Shown.text("\(id)  \(place)  \(name)  \(reason)" + (detail.map { ": \($0)" } ?? ""))
            + (isDeleted ? "  (deleted)" : "")
    }
}

struct NoticeRow {
    let id: String
    let createDate: String
    let title: String

    var line: String { Shown.text("\(id)  \(createDate)  \(title)") }
}

struct UserRow {
    let id: Int
    let email: String
    let userName: String
    let role: String

    var line: String { Shown.text("\(email)  \(role)  \(userName)") }

    var json: JSONValue {
        ["id": .integer(id), "email": .string(email), "userName": .string(userName), "role": .string(role)]
    }
}

extension Invocation {
    func show(_ student: StudentRow) {
        console.print(settings[Options.json] ? student.json.text(isPretty: true) : student.card)
    }

    func show(_ students: [StudentRow]) {
        if settings[Options.json] {
            console.print(JSONValue.array(students.map(\.json)).text(isPretty: true))
        } else {
            for student in students { console.print(student.line) }
            console.say(counted(students.count, "student"))
        }
    }

    /// `records` is what is printed as JSON.
    func show(_ rows: [GuidanceRow], _ records: some Encodable) throws {
        if settings[Options.json] { return try console.printJSON(records) }
        for row in rows { console.print(row.line) }
        console.say(counted(rows.count, "guidance"))
    }

    /// `records` is what is printed as JSON.
    func show(_ rows: [NoticeRow], _ records: some Encodable) throws {
        if settings[Options.json] { return try console.printJSON(records) }
        for row in rows { console.print(row.line) }
        console.say(counted(rows.count, "notice"))
    }

    func show(_ users: [UserRow]) {
        if settings[Options.json] {
            console.print(JSONValue.array(users.map(\.json)).text(isPretty: true))
        } else {
            for user in users { console.print(user.line) }
        }
    }
}
