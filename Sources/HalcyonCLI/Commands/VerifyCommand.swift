internal import Halcyon
internal import HalcyonStore

extension Command {
    static let verify = Command(
        path: ["verify"], summary: "read every stored photo and check its length and digest",
        options: [Options.repair.spec, Options.json.spec],
        details: ["Ends with 1 if anything is damaged and was not repaired."]
    ) { invocation in
        let report = try await invocation.withPipeline(logger: invocation.logger(isQuiet: true), isRequired: true) {
            pipeline in
            guard let disk = pipeline.diskCache else { throw CommandFailure("there is no disk cache") }
            do throws(DiskFailure) {
                return try await disk.verify(repair: invocation.settings[Options.repair])
            } catch {
                throw CommandFailure("the disk cache cannot be read: \(error)")
            }
        }
        if invocation.settings[Options.json] {
            invocation.console.print(report.json.text(isPretty: true))
        } else {
            invocation.console.print(report.text)
        }
        return report.isSound || report.isMended ? .done : .failed
    }
}

extension VerifyReport {
    private var faults: [(name: String, key: String, count: Int)] {
        [
            ("without a file", "missing", missing), ("cut short", "truncated", truncated),
            ("altered", "altered", altered), ("that cannot be read", "unreadable", unreadable),
            ("files that no photo has", "orphans", orphans),
            ("of them could not be removed", "unremovable", unremovable),
        ]
    }

    /// Whether a repair has left nothing at fault.
    fileprivate var isMended: Bool { isRepaired && unreadable == 0 && unremovable == 0 }

    fileprivate var text: String {
        let head = "\(counted(checked, "photo")) read, \(ByteSize.rounded(bytes))"
        if isSound { return head + ": all sound" }
        let lines = faults.filter { $0.count > 0 }.map { "  \($0.count) \($0.name)" }
        let end =
            isMended
            ? "removed; they will be fetched again"
            : isRepaired
                ? "removed, but for what cannot be read or removed: look at the folder's permissions"
                : "halcyon verify --repair removes them"
        return ([head] + lines + [end]).joined(separator: "\n")
    }

    fileprivate var json: JSONValue {
        var object: [String: JSONValue] = [
            "checked": .integer(checked), "bytes": .integer(bytes), "sound": .bool(isSound),
            "repaired": .bool(isRepaired),
        ]
        for fault in faults { object[fault.key] = .integer(fault.count) }
        return .object(object)
    }
}
