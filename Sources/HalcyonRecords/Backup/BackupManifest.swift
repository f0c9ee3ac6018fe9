/// What a backup says of itself, in `manifest.json`, which is written last.
package struct BackupManifest: Sendable, Hashable, Codable {
    static let currentFormat = 1

    let format: Int
    /// ISO 8601, UTC: when the copy of the database was begun.
    package let madeAt: String
    /// `user_version` of the database.
    package let schemaVersion: Int
    /// BLAKE2b-256 of the database file, in hexadecimal digits.
    let databaseDigest: String
    let databaseBytes: Int
    /// Table → rows.
    package let rows: [String: Int]
    /// Images that the database names. Their digests are their names.
    package let mediaFiles: Int
    package let mediaBytes: Int
    /// Images that the database names and that were not there, or not whole, when the backup was made.
    package let missingMedia: [String]
}
