internal import Halcyon
internal import HalcyonImage
internal import HalcyonServer

enum ProgressChoice: String, CaseIterable, Sendable { case auto, bar, plain, json, none }
enum PhotoURLChoice: String, CaseIterable, Sendable { case direct, proxied }

extension Options {
    // MARK: serve

    static let listen = Option(
        "listen", .listenAddress, default: Defaults.listen, "Address and port to listen on; port 0 takes a free one")
    static let tlsCertificate = Option<String?>("tls-cert", optional: .file, "PEM certificate chain; with --tls-key")
    static let tlsKey = Option<String?>("tls-key", optional: .file, "PEM private key; with --tls-cert")
    static let open = Option<Bool>(
        switch: "open", "Serve everybody, without users, on an address that is not loopback")
    static let purgeEvery = Option<Duration?>(
        "purge-every", optional: .positiveDuration, "Drop what has expired at this interval")
    static let purgeSchedule = Option<CronExpression?>(
        "purge-schedule", optional: .cron, "Drop what has expired at these times, local time")
    static let signKeys = Option<String?>(
        "sign-keys", optional: .file,
        "Keys of signed image URLs, one a line in hex or base64url; the first signs, all verify. "
            + "The variable may hold the keys themselves")
    static let photoURLs = Option(
        "photo-urls", .choice, default: PhotoURLChoice.direct,
        "Photo URLs in records: the origin's (direct) or Halcyon's own (proxied)")
    static let publicURL = Option<String?>(
        "public-url", optional: .publicURL,
        "Where clients reach Halcyon; proxied photo URLs begin with it, without it they are paths")
    static let maxConnections = Option(
        "max-connections", .integer(in: 1...65_536), default: Defaults.maxConnections, "Most connections at a time")
    static let maxConnectionsPerAddress = Option<Int?>(
        "max-connections-per-address", optional: .integer(in: 1...65_536),
        "Most connections from one address; behind a proxy all clients share one")
    static let idleTimeout = Option(
        "idle-timeout", .positiveDuration, default: Defaults.idleTimeout, "An idle connection is closed after this")
    static let shutdownGrace = Option(
        "shutdown-grace", .duration, default: Defaults.shutdownGrace,
        "Time for answers in flight to finish after SIGTERM or SIGINT")
    static let readyDelay = Option(
        "ready-delay", .duration, default: Defaults.readyDelay,
        "Time between /readyz saying no and the port being closed, for a balancer to notice")
    static let photoMaxAge = Option(
        "photo-max-age", .duration, default: Defaults.photoMaxAge,
        "How long a client may show a photo without asking again; asking costs a 304")
    static let mount = Option<[Mount]>(
        "mount", repeated: .mount,
        "Forward everything below /PATH to this origin and cache it by the rules of HTTP; may be repeated")
    static let mountPolicy = Option<[MountRule]>(
        "mount-policy", repeated: .mountRule,
        "What is done otherwise at one mount: expiry=DURATION, ignore-query=NAME, refuse-cookies, max-object=SIZE, "
            + "public (no token is asked for)")

    // MARK: selections

    static let grade = Option<Int?>("grade", optional: .integer(in: 1...99), "Only this grade")
    static let classNumber = Option<Int?>("class", optional: .integer(in: 1...99), "Only this class")
    static let student = Option<[Int]>(
        "student", repeated: .integer("ID", in: 1...Int.max), "This student; may be repeated")
    static let url = Option<[String]>(
        "url", repeated: .url(), "This URL; may be repeated")
    static let urlsFrom = Option<String?>(
        "urls-from", optional: .fileOrStandard, "URLs from a file, one a line; - is standard input")
    static let variant = Option<ImageVariant?>(
        "variant", optional: .variant, "Size and format, as in w=128&h=128&fit=cover; without it the original")
    static let variants = Option<[ImageVariant]>(
        "variant", repeated: .variant, "Size and format to make of every photo, as in w=128&h=128&fit=cover")

    // MARK: prefetch and get

    static let concurrency = Option(
        "concurrency", .integer(in: 1...1024), default: Defaults.concurrency, "Photos under way at a time")
    static let refresh = Option<Bool>(switch: "refresh", "Ask the origin even where a fresh copy is kept")
    static let progress = Option(
        "progress", .choice, default: ProgressChoice.auto,
        "How progress is shown on stderr; auto: a bar on a terminal, lines otherwise")
    static let json = Option<Bool>(switch: "json", "Print the result as JSON")
    static let output = Option<String?>(
        "output", optional: .fileOrStandard, short: "o", "Where to write; - is standard output")
    static let onlyCached = Option<Bool>(switch: "only-cached", "Answer from the caches alone, ask no origin")

    // MARK: purge

    static let expired = Option<Bool>(switch: "expired", "What has expired")
    static let everything = Option<Bool>(switch: "all", "Everything")
    static let host = Option<String?>("host", optional: .hostName, "What came from this host")
    static let tag = Option<[String]>(
        "tag", repeated: .text("TAG"),
        "What carries this label: student:ID, class:GRADE-CLASS, mount:/PATH; may be repeated")
    static let olderThan = Option<Duration?>(
        "older-than", optional: .duration, "What was stored longer ago than this")
    static let toSize = Option<Int?>(
        "to-size", optional: .size(), "The least recently used, until no more than this is kept")
    static let every = Option<Duration?>(
        "every", optional: .positiveDuration, "Stay in the foreground and purge at this interval")
    static let schedule = Option<CronExpression?>(
        "schedule", optional: .cron, "Stay in the foreground and purge at these times, local time")
    static let dryRun = Option<Bool>(switch: "dry-run", "Say what would be done and do nothing")

    // MARK: the others

    static let repair = Option<Bool>(switch: "repair", "Remove what is damaged and complete the index")
    static let validFor = Option<Duration?>(
        "valid-for", optional: .positiveDuration,
        "How long it is good; without it a signed URL for ever, a token for 30 days")
    static let students = Option(
        "students", .integer(in: 1...5000), default: Defaults.demoStudents, "Pupils of the sample school")
    static let markdown = Option<Bool>(switch: "markdown", "Print the reference of all options as Markdown")
        .only(in: .commandLineOnly)

    // MARK: sheet

    static let sheetFormat = Option<ContactSheet.Format?>(
        "format", optional: .choice, "What is written")
    static let columns = Option<Int?>(
        "columns", optional: .integer(in: ContactSheet.Options.columnsRange),
        "Faces side by side; without it as many as make the faces largest on A4")
    static let width = Option<Int?>(
        "width", optional: .integer(in: ContactSheet.Options.widthRange), "Pixels across the page; 1240, of a PDF 2480")
    static let sheetTitle = Option<String?>(
        "heading", optional: .text("TEXT"), "Head of the page; without it grade and class")
}
