internal import HalcyonRecords

extension StudentRow {
    init(_ student: Student) {
        self.init(
            id: student.id, grade: student.grade, classNumber: student.classNumber, number: student.number,
            name: student.name, photo: student.photo?.description ?? student.profileImageURL,
            profileImageURL: student.profileImageURL)
    }
}

extension GuidanceRow {
    init(_ guidance: Guidance) {
        let student = guidance.student
        self.init(
            id: guidance.guidanceID, seat: [student.grade, student.classNumber, student.number], name: student.name,
            reason: guidance.reason.rawValue, detail: guidance.detail, isDeleted: guidance.deletedAt != nil)
    }
}

extension NoticeRow {
    init(_ notice: Notice) { self.init(id: notice.id, createDate: notice.createDate, title: notice.title) }
}

extension UserRow {
    init(_ user: User) {
        self.init(id: user.id, email: user.email, userName: user.userName, role: user.role.rawValue)
    }
}
