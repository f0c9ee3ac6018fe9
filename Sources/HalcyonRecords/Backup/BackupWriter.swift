internal import Glibc
internal import HalcyonCrypto
internal import HalcyonSQLite

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension Backup {
    /// Copies the records while others write them, and verifies the copy. Until all is on disk the folder has another name;
    /// on failure it is removed. The database is not brought up to date: a backup can be made before a new program is.
    ///
    /// Images are immutable, so where the file system can they are not copied but get a second name. One that is missing or
    /// damaged does not keep the rest from being saved: see ``BackupManifest/missingMedia``.
    ///
    /// - Parameters:
    ///   - media: the folder of the images, which need not be there.
    ///   - path: where there is nothing yet, in a folder that is.
    package static func make(
        database: String, media: String, at path: String, now: Date = Date()
    ) async throws(BackupError) -> Backup {
        try await blocking(path) { isCancelled in
            try BackupWriter(
                database: database, source: MediaFolder(path: media), path: path, now: now
            ).write(isCancelled)
        }
    }
}

/// The steps of a backup. Blocks.
private struct BackupWriter {
    let database: String
    let source: MediaFolder
    let path: String
    let now: Date

    func write(_ isCancelled: () -> Bool) throws -> Backup {
        guard access(path, F_OK) != 0 else { throw BackupError.exists(path) }
        let draft = path + BackupFiles.draftSuffix
        // What an earlier try that was killed left.
        try BackupFiles.remove(draft)
        do {
            try BackupFiles.makeFolder(draft)
            let manifest = try fill(draft, isCancelled)
            try BackupFiles.write(manifest, to: "\(draft)/\(Backup.manifestName)")
            try BackupFiles.synchronizeTree(draft)
            _ = try Backup(verifying: draft, isCancelled)
            try BackupFiles.rename(draft, to: path)
            return Backup(path: path, manifest: manifest)
        } catch {
            // The failure itself is what has to be told; a folder that cannot be removed goes with the next backup.
            do { try BackupFiles.remove(draft) } catch {}
            throw error
        }
    }

    private func fill(_ draft: String, _ isCancelled: () -> Bool) throws -> BackupManifest {
        let target = MediaFolder(path: "\(draft)/\(Backup.mediaName)")
        let file = "\(draft)/\(Backup.databaseName)"
        var missing: Set<MediaID> = []
        var content: BackupContent
        var attempts = 0
        repeat {
            attempts += 1
            content = try copyDatabase(to: file)
            missing = try copyImages(content.media, to: target, isCancelled)
            // An image that is gone may have been removed with its record after the database was copied: once more.
        } while !missing.isEmpty && attempts < 3
        let bytes = try MediaFolder.read(file)
        let kept = content.media.filter { !missing.contains($0.id) }
        return BackupManifest(
            format: BackupManifest.currentFormat, madeAt: now.formatted(.iso8601),
            schemaVersion: content.schemaVersion, databaseDigest: Digest(of: bytes).hex, databaseBytes: bytes.count,
            rows: content.rows, mediaFiles: kept.count, mediaBytes: kept.reduce(0) { $0 + $1.byteCount },
            missingMedia: missing.map(\.description).sorted())
    }

    private func copyDatabase(to file: String) throws -> BackupContent {
        try RecordStore.check(database, isCreated: false)
        try BackupFiles.remove(file)
        // SQLite fills an empty file, and leaves its mode as it is.
        try BackupFiles.write([], to: file)
        try Connection(path: database, options: .init(isReadOnly: true, busyTimeoutMilliseconds: 30_000))
            .backup(to: file)
        do {
            let copy = try Connection(path: file)
            try copy.execute("PRAGMA secure_delete=ON")
            let hasTokens = try copy.first("SELECT 1 FROM sqlite_schema WHERE name = 'tokens'") { _ in true }
            if hasTokens != nil { try copy.execute("DELETE FROM tokens") }
            // One file, which can be read where nothing can be written.
            try copy.execute("PRAGMA journal_mode=DELETE")
        }
        return try BackupContent(database: file)
    }

    /// Returns what could not be had.
    private func copyImages(
        _ images: [Media], to target: MediaFolder, _ isCancelled: () -> Bool
    ) throws -> Set<MediaID> {
        var missing: Set<MediaID> = []
        for image in images where access(target.path(of: image.id), F_OK) != 0 {
            if isCancelled() { throw BackupError.cancelled }
            let bytes: [UInt8]
            do {
                bytes = try source.readVerified(image)
                try BackupFiles.makeFolder("\(target.path)/\(image.id.folder)")
                if link(source.path(of: image.id), target.path(of: image.id)) == 0 { continue }
            } catch let error as MediaError {
                if case .system(let code) = error { throw BackupError.system(file: source.path, code: code) }
                missing.insert(image.id)
                continue
            }
            try BackupFiles.write(bytes, to: target.path(of: image.id))
        }
        return missing
    }
}
