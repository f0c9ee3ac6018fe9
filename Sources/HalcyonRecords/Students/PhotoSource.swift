/// What the way to a student's photo needs to know of the student.
package struct PhotoSource: Sendable, Hashable {
    package let studentID: Int
    package let grade: Int
    package let classNumber: Int
    /// `nil`: the student exists and has no photo.
    package let place: Place?

    /// Where the photo is had from.
    package enum Place: Sendable, Hashable {
        /// Kept here.
        case local(MediaID)
        /// Fetched from its origin.
        case url(String)
    }

    package init(_ student: Student) {
        studentID = student.id
        grade = student.grade
        classNumber = student.classNumber
        place = student.photo.map(Place.local) ?? student.profileImageURL.map(Place.url)
    }
}
