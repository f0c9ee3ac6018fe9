internal import HalcyonCrypto
internal import HalcyonSQLite

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The rows of entries and their tags. Used on the thread of the connection.
struct EntryTable {
    let connection: Connection

    struct Entry: Sendable {
        let id: Int
        let name: ObjectName
        let size: Int
        let key: [UInt8]
        /// `nil` if it cannot be read: the entry is damaged.
        let metadata: EntryMetadata?
    }

    private static let selection = "SELECT \(columns) FROM entry WHERE keyHash = ?"
    private static let columns = "id, name, extension, size, key, metadata, expiresAt"

    private static func read(_ row: borrowing Row) -> Entry {
        var metadata = EntryMetadata(encoded: row.blob(5))
        // The column moves when a read extends the expiry.
        metadata?.expiresAt = row.optionalDouble(6).map(Date.init(timeIntervalSince1970:))
        return Entry(
            id: row.int(0), name: ObjectName(bytes: row.blob(1), fileExtension: row.text(2)), size: row.int(3),
            key: row.blob(4), metadata: metadata)
    }

    func entry(for key: CacheKey) throws(DatabaseError) -> Entry? {
        let entry = try connection.first(
            Self.selection, [.blob(key.digest.bytes)], read: Self.read)
        return entry?.key == key.encoded ? entry : nil
    }

    func contains(_ key: CacheKey) throws(DatabaseError) -> Bool {
        try connection.first("SELECT 1 FROM entry WHERE keyHash = ?", [.blob(key.digest.bytes)]) { _ in true } ?? false
    }

    func hasVariants(of key: CacheKey) throws(DatabaseError) -> Bool {
        try connection.first(
            "SELECT 1 FROM entry WHERE photoHash = ? AND keyHash != ? LIMIT 1",
            [.integer(Self.photoHash(of: key)), .blob(key.original.digest.bytes)]
        ) { _ in true } ?? false
    }

    // MARK: Change. The caller adds to the totals.

    func insert(
        _ name: ObjectName, size: Int, key: CacheKey, metadata: EntryMetadata
    ) throws(DatabaseError) {
        try connection.run(
            """
            INSERT INTO entry(keyHash, key, name, extension, size, host, photoHash, storedAt, expiresAt, removableAt,
                lastAccess, metadata) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .blob(key.digest.bytes), .blob(key.encoded), .blob(name.bytes), .text(name.fileExtension),
                .init(size),
                .text(metadata.host), .integer(Self.photoHash(of: key)),
                .real(metadata.storedAt.timeIntervalSince1970), .init(metadata.expiresAt?.timeIntervalSince1970),
                .init(metadata.removableAt?.timeIntervalSince1970), .real(metadata.storedAt.timeIntervalSince1970),
                .blob(metadata.encoded),
            ])
        try insertTags(metadata.tags, of: connection.lastInsertedRowID, size: size)
    }

    func update(_ old: Entry, to metadata: EntryMetadata) throws(DatabaseError) {
        try connection.run(
            """
            UPDATE entry SET host = ?, storedAt = ?, expiresAt = ?, removableAt = ?, metadata = ? WHERE id = ?
            """,
            [
                .text(metadata.host), .real(metadata.storedAt.timeIntervalSince1970),
                .init(metadata.expiresAt?.timeIntervalSince1970), .init(metadata.removableAt?.timeIntervalSince1970),
                .blob(metadata.encoded), .init(old.id),
            ])
        guard metadata.tags != old.metadata?.tags else { return }
        try deleteTags(of: old)
        try insertTags(metadata.tags, of: old.id, size: old.size)
    }

    func delete(_ entry: Entry) throws(DatabaseError) {
        try deleteTags(of: entry)
        try connection.run("DELETE FROM entry WHERE id = ?", [.init(entry.id)])
    }

    private func insertTags(_ tags: [String], of id: Int, size: Int) throws(DatabaseError) {
        for tag in tags {
            try connection.run(
                "INSERT OR IGNORE INTO tag VALUES (?, ?, ?)", [.text(tag), .init(id), .init(size)])
        }
    }

    private func deleteTags(of entry: Entry) throws(DatabaseError) {
        guard let tags = entry.metadata?.tags else {
            // Only for a damaged row, whose tags nobody can name.
            try connection.run("DELETE FROM tag WHERE entry = ?", [.init(entry.id)])
            return
        }
        for tag in tags {
            try connection.run("DELETE FROM tag WHERE tag = ? AND entry = ?", [.text(tag), .init(entry.id)])
        }
    }

    /// Notes a read, and the expiry if the read moved it. Does nothing if the row is another entry's by now.
    func touch(_ id: Int, _ access: AccessLog.Access) throws(DatabaseError) {
        try connection.run(
            "UPDATE entry SET lastAccess = max(lastAccess, ?) WHERE id = ? AND name = ?",
            [.real(access.at.timeIntervalSince1970), .init(id), .blob(access.name.bytes)])
        guard let expiry = access.expiry else { return }
        try connection.run(
            "UPDATE entry SET expiresAt = ?, removableAt = max(?, removableAt) WHERE id = ? AND name = ?",
            [
                .init(expiry.date?.timeIntervalSince1970), .init(expiry.date?.timeIntervalSince1970), .init(id),
                .blob(access.name.bytes),
            ])
    }

    // MARK: Questions

    /// The part after WHERE that picks what `selector` does; `nil` for ``PurgeSelector/toSize(_:)``.
    static func condition(_ selector: PurgeSelector, now: Date) -> (sql: String, values: [Value])? {
        switch selector {
        case .expired: ("expiresAt <= ?", [.real(now.timeIntervalSince1970)])
        case .all: ("TRUE", [])
        case .url(let url): ("photoHash = ?", [.integer(photoHash(of: CacheKey(url: url)))])
        case .host(let host): ("host = ?", [.text(host)])
        case .tags(let tags):
            (
                "id IN (SELECT entry FROM tag WHERE tag IN (\(tags.map { _ in "?" }.joined(separator: ", "))))",
                tags.map { .text($0) }
            )
        case .olderThan(let seconds): ("storedAt < ?", [.real(now.timeIntervalSince1970 - seconds)])
        case .key(let key): ("keyHash = ?", [.blob(key.digest.bytes)])
        case .photo(let key): ("photoHash = ?", [.integer(photoHash(of: key))])
        case .variants(let key):
            ("photoHash = ? AND keyHash != ?", [.integer(photoHash(of: key)), .blob(key.original.digest.bytes)])
        case .toSize: nil
        }
    }

    static func removable(by now: Date) -> (sql: String, values: [Value]) {
        ("removableAt <= ?", [.real(now.timeIntervalSince1970)])
    }

    static func writtenAfter(_ now: Date) -> (sql: String, values: [Value]) {
        ("storedAt > ?", [.real(now.timeIntervalSince1970)])
    }

    func entries(
        where condition: (sql: String, values: [Value]), upTo lastID: Int = .max, limit: Int
    ) throws(DatabaseError) -> [Entry] {
        try connection.all(
            "SELECT \(Self.columns) FROM entry WHERE \(condition.sql) AND id <= ? LIMIT ?",
            condition.values + [.init(lastID), .init(limit)], read: Self.read)
    }

    func total(where condition: (sql: String, values: [Value])) throws(DatabaseError) -> (count: Int, bytes: Int) {
        try connection.first(
            "SELECT count(*), coalesce(sum(size), 0) FROM entry WHERE \(condition.sql)", condition.values
        ) { ($0.int(0), $0.int(1)) } ?? (0, 0)
    }

    func leastRecentlyUsed(limit: Int) throws(DatabaseError) -> [Entry] {
        try connection.all(
            "SELECT \(Self.columns) FROM entry ORDER BY lastAccess, id LIMIT ?", [.init(limit)], read: Self.read)
    }

    /// Rows in the order of their number, after `id`.
    func page(after id: Int, limit: Int) throws(DatabaseError) -> [Entry] {
        try connection.all(
            "SELECT \(Self.columns) FROM entry WHERE id > ? ORDER BY id LIMIT ?", [.init(id), .init(limit)],
            read: Self.read)
    }

    var lastID: Int {
        get throws(DatabaseError) { try connection.first("SELECT max(id) FROM entry") { $0.int(0) } ?? 0 }
    }

    /// The same for all variants of a photo, in every credential scope: 64 bits of BLAKE2b, enough to find them without
    /// a second copy of every URL.
    static func photoHash(of key: CacheKey) -> Int64 {
        let name = Array((key.isExplicit ? "\u{0}" : "").utf8) + Array(key.url.utf8)
        return Digest(of: name).bytes.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }
}
