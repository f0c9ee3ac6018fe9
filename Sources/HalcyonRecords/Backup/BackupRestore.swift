internal import Glibc
internal import HalcyonCrypto
internal import HalcyonSQLite

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension Backup {
    /// Puts the records and images of the backup, which has been verified, where a server finds them. Images come first, so
    /// that no record names one that is not there.
    ///
    /// - Parameters:
    ///   - isReplacing: whether a database that is there makes room; it keeps its content under a dated name.
    /// - Returns: the new name of the database that was replaced, `nil` if there was none.
    /// - Throws: ``BackupError/exists(_:)`` or ``BackupError/inUse(_:)``; then nothing has changed.
    package func restore(
        database: String, media: String, isReplacing: Bool, now: Date = Date()
    ) async throws(BackupError) -> String? {
        try await Self.blocking(database) { isCancelled in
            let hasOld = access(database, F_OK) == 0
            guard !hasOld || isReplacing else { throw BackupError.exists(database) }
            let old = hasOld ? try Self.closed(database) : nil
            try restoreImages(to: MediaFolder(path: media), isCancelled)
            let draft = database + BackupFiles.draftSuffix
            try BackupFiles.remove(draft)
            do {
                try BackupFiles.makeFolder(BackupFiles.folder(of: database))
                try BackupFiles.write(try MediaFolder.read(self.database), to: draft)
                let aside = try Self.moveAside(database, now: now)
                try BackupFiles.rename(draft, to: database)
                // Whoever waited for the lock of the old one until now has the old one open, under its new name.
                withExtendedLifetime(old) {}
                return aside
            } catch {
                do { try BackupFiles.remove(draft) } catch {
                    // The failure before is what has to be told.
                }
                throw error
            }
        }
    }

    private func restoreImages(to target: MediaFolder, _ isCancelled: () -> Bool) throws {
        let missing = Set(manifest.missingMedia)
        for image in try BackupContent(database: database).media where !missing.contains(image.id.description) {
            if isCancelled() { throw BackupError.cancelled }
            try target.keep(try media.readVerified(image), as: image.id)
        }
    }

    /// A connection that keeps others out of the database as long as it lives; `nil` if that is too damaged to be opened,
    /// which may be why it is replaced.
    private static func closed(_ database: String) throws -> Connection? {
        do {
            let connection = try Connection(path: database, options: .init(busyTimeoutMilliseconds: 0))
            // Only the last connection may leave the write-ahead log, and does it with the log folded in
            // (https://www.sqlite.org/wal.html).
            let mode = try connection.first("PRAGMA journal_mode=DELETE") { $0.text(0) }
            guard mode == "delete" else { throw BackupError.inUse(database) }
            try connection.execute("BEGIN EXCLUSIVE")
            return connection
        } catch let error as DatabaseError {
            let (busy, locked): (Int32, Int32) = (5, 6)
            if [busy, locked].contains(error.primaryCode) { throw BackupError.inUse(database) }
            return nil
        }
    }

    /// A log without its database would be taken for one of the new database, so it goes too.
    private static func moveAside(_ database: String, now: Date) throws(BackupError) -> String? {
        let aside = "\(database).before-\(BackupShelf.name(of: now))"
        guard access(aside, F_OK) != 0 else { throw .exists(aside) }
        var hasMoved = false
        for suffix in ["-wal", "-shm", ""] where access(database + suffix, F_OK) == 0 {
            try BackupFiles.rename(database + suffix, to: aside + suffix)
            hasMoved = hasMoved || suffix.isEmpty
        }
        return hasMoved ? aside : nil
    }
}

extension MediaFolder {
    func readVerified(_ media: Media) throws(MediaError) -> [UInt8] {
        let bytes = try Self.read(path(of: media.id))
        guard bytes.count == media.byteCount else { throw .wrongLength }
        guard Digest(of: bytes).hex == media.id.digestText else { throw .damaged }
        return bytes
    }
}
