internal import HalcyonRecords

/// What is changed in a record is said on the command line alone, as for students.
extension Options {
    static let status = Option(
        "status", .choice, default: GuidanceQuery.Status.valid, "Which guidances")
    static let reason = Option<GuidanceReason?>("reason", optional: .choice, "Why").only(in: .commandLineOnly)
    static let detail = Option<String?>(
        "detail", optional: .recordText("TEXT", length: 1...1000, isMultiline: true), "More about the reason 기타"
    )
    .only(in: .commandLineOnly)

    static let by = Option("by", .choice, default: GuidanceCountQuery.Grouping.class, "What is counted together")
    static let from = Option<String?>("from", optional: .day, "First day of the period")
    static let to = Option<String?>("to", optional: .day, "Last day of the period")

    static let title = Option<String?>("title", optional: .recordText("TEXT", length: 1...200), "Title").only(
        in: .commandLineOnly)
    static let content = Option<String?>(
        "content", optional: .recordText("TEXT", length: 1...20_000, isMultiline: true), "Text of the notice"
    )
    .only(in: .commandLineOnly)
    static let image = Option<[String]>(
        "image", repeated: .url(isRecorded: true), "An image of it"
    )
    .only(in: .commandLineOnly)
    static let authorID = Option<String?>("author-id", optional: .text("ID"), "Who wrote it").only(in: .commandLineOnly)
    static let authorName = Option<String?>(
        "author-name", optional: .recordText("TEXT", length: 1...100), "The author's name"
    )
    .only(in: .commandLineOnly)

    static let role = Option<UserRole?>(
        "role", optional: .choice, "What the user may do; without it admin for the first user, viewer for the others"
    ).only(in: .commandLineOnly)
    static let topic = Option<RecordChange.Topic?>("topic", optional: .choice, "Only changes of this kind")
        .only(in: .commandLineOnly)
    static let since = Option<Duration?>("since", optional: .positiveDuration, "Only as long ago as this")
        .only(in: .commandLineOnly)
    static let keep = Option<Int?>(
        "keep", optional: .integer(in: 1...10_000), "Remove older backups in the folder, so that so many are left"
    ).only(in: .commandLineOnly)
    static let replace = Option<Bool>(switch: "replace", "Keep the database that is there under another name")
        .only(in: .commandLineOnly)
    static let passwordFile = Option<String?>(
        "password-file", optional: .fileOrStandard,
        "Where the password is, on one line; without it, it is asked for on the terminal"
    ).only(in: .commandLineOnly)
}
