internal import HalcyonRecords

/// A student as clients see it: as recorded, but for the URL of the photo.
struct ShownStudent: Encodable, Sendable {
    private let student: Student
    private let photoURL: String?

    init(_ student: Student, _ photoURLs: PhotoURLs) {
        self.student = student
        photoURL = photoURLs.url(of: student)
    }

    private enum CodingKeys: CodingKey { case profileImageURL }

    func encode(to encoder: any Encoder) throws {
        try student.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(photoURL, forKey: .profileImageURL)
    }
}

extension Guidance {
    func shown(_ photoURLs: PhotoURLs) -> Guidance {
        var guidance = self
        guidance.photoURL = photoURLs.url(of: student)
        return guidance
    }
}
