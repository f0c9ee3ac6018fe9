extension Options {
    static let server = Option<String?>(
        "server", optional: .url(),
        "Work on the records of this running service instead of the database here: https://photos.school.example")
    static let token = Option<String?>(
        "token", optional: .token,
        "Token for --server; on a command line other users of this machine can read it in the list of processes, so "
            + "rather HALCYON_TOKEN or --token-file"
    ).only(in: .environment)
    static let tokenFile = Option<String?>(
        "token-file", optional: .fileOrStandard, "Where the token for --server is, on one line")
    static let insecureHTTP = Option<Bool>(
        switch: "insecure-http",
        "Send token and records in clear to a --server that is not this machine and has no TLS"
    ).only(in: .commandLineOnly)

    static let remote: [OptionSpec] = [server.spec, token.spec, tokenFile.spec, insecureHTTP.spec]
}

extension ValueKind<String> {
    /// A token, which no message shows.
    static var token: Self {
        Self(
            placeholder: "TOKEN", accepted: "a token as halcyon users token prints it", shown: { _ in "(hidden)" },
            read: { text throws(ValueProblem) in
                guard !text.isEmpty, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { throw ValueProblem() }
                return text
            },
            write: { _ in "(hidden)" })
    }
}
