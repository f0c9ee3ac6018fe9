internal import Foundation
internal import Glibc
internal import HalcyonRecords

extension Command {
    static let backup = Command(
        path: ["backup"], summary: "copy the records and their images while the server runs", operands: "FOLDER",
        operandCount: 1...1, operandCompletion: .files, options: [Options.keep.spec, Options.json.spec],
        details: [
            "Makes a folder in FOLDER that is named by the time, such as 2026-11-30T030000Z, verifies what is in it, and prints "
                + "its path. It holds pupils' data and hashes of passwords, but no tokens: after a restore everybody signs in again."
        ],
        run: backUp
    )

    static let restore = Command(
        path: ["restore"], summary: "put a backup in the place of the records", operands: "BACKUP", operandCount: 1...1,
        operandCompletion: .files, options: [Options.replace.spec, Options.dryRun.spec],
        details: [
            "The backup is verified first; with --dry-run that is all. A database that is there stays, unless --replace is given: "
                + "then it is kept beside the new one under a dated name. Stop the server first."
        ],
        run: restoreBackup
    )

    private static let backUp: @Sendable (Invocation) async throws -> ExitCode = { invocation in
        let shelf = invocation.operands[0]
        let database = invocation.settings[Options.database]
        guard access(database, F_OK) == 0 else { throw CommandFailure("--database: there is no file \(database)") }
        let now = Date()
        let (backup, signal) = try await interruptible {
            try await Backup.make(
                database: database, media: invocation.settings.mediaFolder, at: "\(shelf)/\(BackupShelf.name(of: now))",
                now: now)
        }
        let manifest = backup.manifest
        for name in manifest.missingMedia { invocation.console.say("halcyon: image \(name) is missing or damaged") }
        var removed: [String] = []
        // A copy that is not whole does not push out one that is.
        if let keep = invocation.settings[Options.keep], manifest.missingMedia.isEmpty {
            removed = try await BackupShelf.prune(shelf, keeping: keep)
        }
        if invocation.settings[Options.json] {
            let report: JSONValue = [
                "path": .string(backup.path), "madeAt": .string(manifest.madeAt),
                "schemaVersion": .integer(manifest.schemaVersion),
                "rows": .object(manifest.rows.mapValues(JSONValue.integer)),
                "mediaFiles": .integer(manifest.mediaFiles), "mediaBytes": .integer(manifest.mediaBytes),
                "missingMedia": .array(manifest.missingMedia.map(JSONValue.string)),
                "removed": .array(removed.map(JSONValue.string)),
            ]
            invocation.console.print(report.text(isPretty: true))
        } else {
            invocation.console.print(backup.path)
        }
        if signal != nil { return .interrupted }
        return manifest.missingMedia.isEmpty ? .done : .failed
    }

    private static let restoreBackup: @Sendable (Invocation) async throws -> ExitCode = { invocation in
        let path = invocation.operands[0]
        let settings = invocation.settings
        let (aside, _) = try await interruptible { () -> String? in
            let backup = try await Backup.verified(at: path)
            let count = backup.manifest.rows["students"] ?? 0
            invocation.console.say(
                "halcyon: backup of \(backup.manifest.madeAt), whole: \(count) students, "
                    + "\(backup.manifest.mediaFiles) images")
            for name in backup.manifest.missingMedia {
                invocation.console.say("halcyon: image \(name) was missing already when it was made")
            }
            guard !settings[Options.dryRun] else { return nil }
            return try await backup.restore(
                database: settings[Options.database], media: settings.mediaFolder,
                isReplacing: settings[Options.replace])
        }
        if let aside { invocation.console.say("halcyon: the old database is kept as \(aside)") }
        if !settings[Options.dryRun] { invocation.console.print(settings[Options.database]) }
        return .done
    }
}
