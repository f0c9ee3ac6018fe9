/// Every option that `halcyon` knows, by what it is about. Defaults come from the constants that the code itself uses.
enum Options {
    static let config = Option<String?>(
        "config", optional: .file, "JSON file with options under their keys, and origins"
    ).only(in: .environment)
    static let printConfig = Option<Bool>(
        switch: "print-config", "Print the effective configuration, secrets hidden, and end"
    ).only(in: .commandLineOnly)
    static let help = Option<Bool>(switch: "help", "Print this text").only(in: .commandLineOnly)

    static let general: [OptionSpec] = [
        config.spec, printConfig.spec, logLevel.spec, logFormat.spec, help.spec,
    ]

    /// Accepted by every command that works on the caches or the records.
    static let common: [OptionSpec] = cache + fetch + images + general

    /// Each option once. A flag means the same thing in every command that has it.
    static let all: [OptionSpec] = {
        var seen: Set<OptionSpec> = []
        return (common + CommandTable.all.flatMap(\.options)).filter { seen.insert($0).inserted }
    }()
}
