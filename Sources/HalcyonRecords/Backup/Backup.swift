internal import Dispatch
internal import HalcyonCrypto
internal import HalcyonSQLite
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A folder that holds a copy of the records and of their images: `records.sqlite`, `media/` and `manifest.json`.
///
/// Tokens are not in it: who takes a backup away is signed in nowhere, and a token that was ended does not come back with a
/// restored backup. Passwords are, as hashes.
package struct Backup: Sendable, Hashable {
    package let path: String
    package let manifest: BackupManifest

    var database: String { "\(path)/\(Self.databaseName)" }
    var media: MediaFolder { MediaFolder(path: "\(path)/\(Self.mediaName)") }

    static let databaseName = "records.sqlite"
    static let mediaName = "media"
    static let manifestName = "manifest.json"

    /// Reads and compares everything that is in the backup.
    ///
    /// - Throws: ``BackupError/notABackup(_:)``, ``BackupError/damaged(_:)``.
    package static func verified(at path: String) async throws(BackupError) -> Backup {
        try await blocking(path) { isCancelled in try Backup(verifying: path, isCancelled) }
    }

    init(path: String, manifest: BackupManifest) {
        self.path = path
        self.manifest = manifest
    }

    init(verifying path: String, _ isCancelled: () -> Bool) throws {
        self.path = path
        do {
            let text = try MediaFolder.read("\(path)/\(Self.manifestName)", limit: 1 << 24)
            manifest = try JSONDecoder().decode(BackupManifest.self, from: Data(text))
        } catch {
            throw BackupError.notABackup(path)
        }
        guard manifest.format == BackupManifest.currentFormat,
            manifest.schemaVersion <= RecordSchema.migrations.count
        else { throw BackupError.notABackup(path) }
        let bytes: [UInt8]
        do { bytes = try MediaFolder.read(database) } catch {
            throw BackupError(error, file: Self.databaseName)
        }
        guard bytes.count == manifest.databaseBytes, Digest(of: bytes).hex == manifest.databaseDigest else {
            throw BackupError.damaged("\(Self.databaseName) is not what was written")
        }
        let content = try BackupContent(database: database)
        guard content.rows == manifest.rows else { throw BackupError.damaged("the numbers of rows differ") }
        let missing = Set(manifest.missingMedia)
        for media in content.media where !missing.contains(media.id.description) {
            if isCancelled() { throw BackupError.cancelled }
            do { _ = try self.media.readVerified(media) } catch {
                throw BackupError.damaged("\(Self.mediaName)/\(media.id): \(error)")
            }
        }
    }

    /// Runs `body` off the cooperative pool. It looks now and then whether the task has been cancelled.
    static func blocking<T: Sendable>(
        _ file: String, _ body: @escaping @Sendable (_ isCancelled: () -> Bool) throws -> T
    ) async throws(BackupError) -> T {
        let flag = CancelFlag()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(
                        returning: Result { () throws(BackupError) in
                            do { return try body { flag.isSet.load(ordering: .relaxed) } } catch {
                                throw BackupError(error, file: file)
                            }
                        })
                }
            }
        } onCancel: {
            flag.isSet.store(true, ordering: .relaxed)
        }
        return try result.get()
    }

    private final class CancelFlag: Sendable {
        let isSet = Atomic(false)
    }
}
