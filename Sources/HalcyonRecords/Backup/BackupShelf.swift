internal import Glibc

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A folder of backups, each named by the time it was made, such as `2026-11-30T030000Z`.
package enum BackupShelf {
    package static func name(of date: Date) -> String {
        date.formatted(.iso8601.timeSeparator(.omitted))
    }

    /// Removes all but the newest backups. What is named otherwise, or holds no manifest, is not touched.
    ///
    /// - Parameter count: at least 1.
    /// - Returns: the names of those removed, oldest first.
    package static func prune(_ folder: String, keeping count: Int) async throws(BackupError) -> [String] {
        try await Backup.blocking(folder) { _ in
            let names = try BackupFiles.names(in: folder).filter { name in
                isDate(name) && access("\(folder)/\(name)/\(Backup.manifestName)", F_OK) == 0
            }
            let removed = Array(names.sorted().dropLast(max(count, 1)))
            for name in removed { try BackupFiles.remove("\(folder)/\(name)") }
            return removed
        }
    }

    private static func isDate(_ name: String) -> Bool {
        let pattern = Array("0000-00-00T000000Z".utf8)
        return name.utf8.count == pattern.count
            && zip(name.utf8, pattern).allSatisfy { byte, wanted in
                wanted == UInt8(ascii: "0") ? (0x30...0x39).contains(byte) : byte == wanted
            }
    }
}
