internal import HalcyonRecords

/// What is changed in a record is said on the command line alone, as for students.
extension Options {
    static let status = Option(
        "status", .choice, default: GuidanceQuery.Status.valid, "Which guidances")
    static let reason = Option<GuidanceReason?>("reason", optional: .choice, "Why").only(in: .commandLineOnly)
    static let detail = Option<String?>("detail", optional: .text("TEXT"), "More about the reason 기타")
        .only(in: .commandLineOnly)

    static let title = Option<String?>("title", optional: .text("TEXT"), "Title").only(in: .commandLineOnly)
    static let content = Option<String?>("content", optional: .text("TEXT"), "Text of the notice")
        .only(in: .commandLineOnly)
    static let image = Option<[String]>(
        "image", repeated: .text("URL", accepted: "an http or https URL"), "An image of it"
    )
    .only(in: .commandLineOnly)
    static let authorID = Option<String?>("author-id", optional: .text("ID"), "Who wrote it").only(in: .commandLineOnly)
    static let authorName = Option<String?>("author-name", optional: .text("TEXT"), "The author's name")
        .only(in: .commandLineOnly)

    static let role = Option<UserRole?>(
        "role", optional: .choice, "What the user may do; without it admin for the first user, viewer for the others"
    ).only(in: .commandLineOnly)
    static let passwordFile = Option<String?>(
        "password-file", optional: .fileOrStandard,
        "Where the password is, on one line; without it, it is asked for on the terminal"
    ).only(in: .commandLineOnly)
}
