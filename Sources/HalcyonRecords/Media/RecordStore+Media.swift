internal import HalcyonSQLite

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension RecordStore {
    /// What a sweep removed.
    package struct MediaSweep: Sendable, Hashable {
        package let files: Int
        package let bytes: Int
    }

    package func media(_ id: MediaID) async throws(RecordError) -> Media? {
        try await read { try $0.media(id) }
    }

    /// Every image that is recorded, for backups and checks.
    package func allMedia() async throws(RecordError) -> [Media] {
        try await read { connection in
            try connection.all("SELECT \(Media.columns) FROM media ORDER BY digest") { Media($0) }.compactMap { $0 }
        }
    }

    /// Records an image whose file has been kept, before the record that names it. For an hour no sweep takes it away.
    package func add(_ media: Media) async throws(RecordError) {
        try await write { connection, _ in try connection.insert(media) }
    }

    /// What a check of all images found.
    package struct MediaReport: Sendable, Hashable {
        package var checked = 0
        package var bytes = 0
        package var missing = 0
        package var wrongLength = 0
        package var damaged = 0
        package var unreadable = 0

        package init() {}

        package var isSound: Bool { missing + wrongLength + damaged + unreadable == 0 }
    }

    /// Reads every image that is recorded and compares it with its name.
    package func verifyMedia(in store: MediaStore) async throws(RecordError) -> MediaReport {
        var report = MediaReport()
        for media in try await allMedia() {
            report.checked += 1
            do throws(MediaError) {
                try await store.verify(media)
                report.bytes += media.byteCount
            } catch {
                switch error {
                case .missing: report.missing += 1
                case .wrongLength: report.wrongLength += 1
                case .damaged: report.damaged += 1
                case .invalidName, .system: report.unreadable += 1
                }
            }
        }
        return report
    }

    /// Gives the student a photo of its own, recorded by ``add(_:)-(Media)``; it comes before the URL, which stays.
    ///
    /// - Throws: ``RecordError/notFound``.
    @discardableResult
    package func setPhoto(studentID: Int, media: MediaID) async throws(RecordError) -> Student {
        try await changePhoto(
            studentID, "UPDATE students SET photo = ?2 WHERE id = ?1 AND photo IS NOT ?2", [.text(media.description)])
    }

    /// Back to no photo: neither one kept here nor a URL.
    ///
    /// - Throws: ``RecordError/notFound``.
    @discardableResult
    package func clearPhoto(studentID: Int) async throws(RecordError) -> Student {
        try await changePhoto(
            studentID,
            """
            UPDATE students SET photo = NULL, profileImageURL = NULL
            WHERE id = ?1 AND (photo IS NOT NULL OR profileImageURL IS NOT NULL)
            """, [])
    }

    private func changePhoto(
        _ studentID: Int, _ sql: String, _ values: [Value]
    ) async throws(RecordError) -> Student {
        try await write { connection, changes in
            guard let old = try connection.student(id: studentID) else { throw RecordError.notFound }
            try connection.run(sql, [Value(studentID)] + values)
            guard connection.changes > 0, let student = try connection.student(id: studentID) else { return old }
            changes.append(student.change(from: old))
            return student
        }
    }

    /// Removes the images that no record names any more, files last. What is younger than `age` seconds stays: its record
    /// may be about to be written.
    @discardableResult
    package func sweepMedia(
        in store: MediaStore, olderThan age: TimeInterval = 3600, now: Date = Date()
    ) async throws -> MediaSweep {
        let oldest = now.addingTimeInterval(-age)
        try await write { connection, _ in try connection.removeUnnamedMedia(before: oldest) }
        let named = Set(try await allMedia().map(\.id))
        let removed = try await store.removeFiles(exceptNamed: named, olderThan: oldest)
        return MediaSweep(files: removed.files, bytes: removed.bytes)
    }
}

extension Connection {
    func media(_ id: MediaID) throws(DatabaseError) -> Media? {
        try first("SELECT \(Media.columns) FROM media WHERE digest = ?", [.text(id.description)]) { Media($0) } ?? nil
    }

    /// The same image again counts as new again.
    func insert(_ media: Media) throws(DatabaseError) {
        try run(
            """
            INSERT INTO media (\(Media.columns)) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (digest) DO UPDATE SET createdAt = excluded.createdAt
            """, media.values)
    }

    /// What names an image is read from the schema: every column that refers to the table.
    func removeUnnamedMedia(before oldest: Date) throws(DatabaseError) {
        let references = try all(
            """
            SELECT tables.name, keys."from" FROM sqlite_schema AS tables, pragma_foreign_key_list(tables.name) AS keys
            WHERE tables.type = 'table' AND keys."table" = 'media'
            """
        ) { (table: $0.text(0), column: $0.text(1)) }
        let conditions = references.map { table, column in
            " AND NOT EXISTS (SELECT 1 FROM \"\(table)\" WHERE \"\(column)\" = media.digest)"
        }
        try run("DELETE FROM media WHERE createdAt < ?" + conditions.joined(), [Value(oldest.milliseconds)])
    }
}
