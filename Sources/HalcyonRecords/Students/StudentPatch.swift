/// What is to be changed of a student; `nil` leaves a field as it is.
package struct StudentPatch: Sendable, Hashable {
    package enum Photo: Sendable, Hashable {
        /// Replaces a photo that is kept here, unless it is the URL that is recorded.
        case url(String)
        /// Neither a URL nor a photo that is kept here.
        case none
    }

    package var grade: Int?
    package var classNumber: Int?
    package var number: Int?
    package var name: String?
    package var photo: Photo?

    package init() {}

    func applied(to old: Student) throws(RecordError) -> Student {
        let url: String? =
            switch photo {
            case .url(let url): url
            case .some(.none): nil
            case nil: old.profileImageURL
            }
        let student = try Student(
            id: old.id, grade: grade ?? old.grade, classNumber: classNumber ?? old.classNumber,
            number: number ?? old.number, name: name ?? old.name, profileImageURL: url)
        return photo == .some(.none) ? student : student.replacing(old)
    }
}
