internal import Glibc
internal import Halcyon
internal import HalcyonRecords
internal import HalcyonStore

extension Command {
    static let verify = Command(
        path: ["verify"], summary: "read every stored photo and image, and check its length and digest",
        options: [Options.repair.spec, Options.json.spec],
        details: [
            "Ends with 1 if anything is damaged and was not repaired. Images that belong to records are checked too; they "
                + "come from nowhere else, so that only a backup mends them."
        ]
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
        // Without records there are no images of theirs.
        let media =
            access(invocation.settings[Options.database], F_OK) == 0
            ? try await invocation.records().verifyMedia(in: invocation.settings.mediaStore) : .init()
        if invocation.settings[Options.json] {
            invocation.console.print(report.json(media).text(isPretty: true))
        } else {
            invocation.console.print(report.text)
            if media.checked > 0 { invocation.console.print(media.text) }
        }
        return (report.isSound || report.isMended) && media.isSound ? .done : .failed
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

    fileprivate func json(_ media: RecordStore.MediaReport) -> JSONValue {
        var object: [String: JSONValue] = [
            "checked": .integer(checked), "bytes": .integer(bytes), "sound": .bool(isSound),
            "repaired": .bool(isRepaired), "media": media.json,
        ]
        for fault in faults { object[fault.key] = .integer(fault.count) }
        return .object(object)
    }
}

extension RecordStore.MediaReport {
    private var faults: [(name: String, key: String, count: Int)] {
        [
            ("without a file", "missing", missing), ("of the wrong length", "wrongLength", wrongLength),
            ("altered", "altered", damaged), ("that cannot be read", "unreadable", unreadable),
        ]
    }

    fileprivate var text: String {
        let head = "\(counted(checked, "image")) of records read, \(ByteSize.rounded(bytes))"
        if isSound { return head + ": all sound" }
        return
            ([head] + faults.filter { $0.count > 0 }.map { "  \($0.count) \($0.name)" }
            + ["halcyon restore brings them back from a backup"]).joined(separator: "\n")
    }

    fileprivate var json: JSONValue {
        var object: [String: JSONValue] = [
            "checked": .integer(checked), "bytes": .integer(bytes), "sound": .bool(isSound),
        ]
        for fault in faults { object[fault.key] = .integer(fault.count) }
        return .object(object)
    }
}
