package import HalcyonRecords

/// Which URL of a student's photo records carry.
package enum PhotoURLs: Sendable, Hashable {
    /// The origin's, as it is recorded.
    case direct
    /// This service's own photo route. `base` is what stands before its path: an absolute URL without a slash at its end,
    /// or nothing. Never taken from a request, whose `Host` anybody can write.
    case proxied(base: String)

    /// The `v` of a proxied URL changes when, and only when, the recorded URL does: a client that keeps photos by their
    /// URL then asks anew. `nil` without a photo.
    package func url(of student: Student) -> String? {
        switch self {
        case .direct: student.profileImageURL
        case .proxied(let base): student.photoVersion.map { "\(base)/students/\(student.id)/photo?v=\($0)" }
        }
    }
}
