package import HalcyonRecords

/// Which URL of a student's photo records carry.
package struct PhotoURLs: Sendable, Hashable {
    private enum Mode: Sendable, Hashable { case direct, proxied }

    private let mode: Mode
    /// What stands before this service's own paths: an absolute URL without a slash at its end, or nothing. Never taken
    /// from a request, whose `Host` anybody can write.
    package let base: String

    /// The origin's, as it is recorded. A photo that is kept here has this service's.
    package static func direct(base: String) -> PhotoURLs { PhotoURLs(mode: .direct, base: base) }
    package static let direct = direct(base: "")

    /// This service's own photo route.
    package static func proxied(base: String) -> PhotoURLs { PhotoURLs(mode: .proxied, base: base) }

    /// The `v` of an own URL changes when, and only when, the photo does: a client that keeps photos by their URL then
    /// asks anew. `nil` without a photo.
    package func url(of student: Student) -> String? {
        guard mode == .proxied || student.photo != nil else { return student.profileImageURL }
        return student.photoVersion.map { "\(base)/students/\(student.id)/photo?v=\($0)" }
    }

    /// The same where nothing was said of a base: photos that are kept here get an absolute URL, which clients that know
    /// no other need. Proxied URLs stay paths.
    func completed(by address: ListenAddress, isTLS: Bool) -> PhotoURLs {
        // An address of zeros, in any spelling, is all addresses.
        guard mode == .direct, base.isEmpty, !address.host.allSatisfy({ "0.:".contains($0) }) else { return self }
        return .direct(base: "\(isTLS ? "https" : "http")://\(address)")
    }
}
