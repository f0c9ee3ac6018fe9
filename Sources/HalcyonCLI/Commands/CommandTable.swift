/// The commands, in the order of the help.
enum CommandTable {
    static let all: [Command] = [
        .serve, .prefetch, .purge, .get, .stats, .verify, .studentsImport, .studentsExport, .studentsList,
        .studentsShow,
        .studentsAdd, .studentsEdit, .studentsPhoto, .studentsRemove, .studentsPromote, .guidancesList,
        .guidancesCounts, .guidancesAdd, .guidancesRemove,
        .guidancesRestore, .noticesList, .noticesAdd, .noticesEdit, .noticesRemove, .usersAdd, .usersList, .usersRemove,
        .usersPassword, .usersToken, .usersRole, .usersRevoke, .audit, .backup, .restore, .sheet, .sign, .configCheck,
        .demo,
        .completions,
        .help, .version,
    ].map(Remote.extended)

    static func groupSummary(_ name: String) -> String {
        switch name {
        case "students": "the pupils and where their photos are"
        case "guidances": "the guidances given to pupils"
        case "notices": "the notices of clubs"
        case "users": "who may sign in"
        case "config": "the configuration of serve"
        default: ""
        }
    }

    /// The command that `words` begin with, and the words after it.
    static func find(_ words: [String]) throws(UsageError) -> (command: Command, operands: [String]) {
        guard let first = words.first else {
            throw UsageError("which command? See halcyon help")
        }
        let group = all.filter { $0.path.first == first }
        guard !group.isEmpty else {
            let hint = Suggestion.nearest(to: first, in: all.map { $0.path[0] }).map { ": did you mean \($0)?" } ?? ""
            throw UsageError("there is no command \(Shown.value(first))\(hint)")
        }
        if group.count == 1, group[0].path.count == 1 {
            return (group[0], Array(words.dropFirst()))
        }
        let names = group.map { $0.path[1] }
        guard words.count > 1 else {
            throw UsageError("\(first): which of \(names.joined(separator: ", "))?")
        }
        guard let command = group.first(where: { $0.path[1] == words[1] }) else {
            let hint = Suggestion.nearest(to: words[1], in: names).map { ": did you mean \($0)?" } ?? ""
            throw UsageError("\(first) has no command \(Shown.value(words[1]))\(hint)")
        }
        return (command, Array(words.dropFirst(2)))
    }
}
