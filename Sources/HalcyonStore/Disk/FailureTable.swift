internal import HalcyonCrypto
internal import HalcyonSQLite

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// What is remembered of photos that could not be had; bounded.
struct FailureTable {
    let connection: Connection

    func record(for key: CacheKey) throws(DatabaseError) -> FailureRecord? {
        let found = try connection.first(
            "SELECT kind, reason, count, until, host, tags, key FROM failure WHERE keyHash = ?",
            [.blob(key.digest.bytes)]
        ) { ($0.blob(6), Self.read($0)) }
        return found?.0 == key.encoded ? found?.1 : nil
    }

    private static func read(_ row: borrowing Row) -> FailureRecord? {
        FailureRecord.Kind(rawValue: row.text(0)).map {
            FailureRecord(
                kind: $0, reason: row.text(1), count: row.int(2), until: Date(timeIntervalSince1970: row.double(3)),
                host: row.text(4), tags: decode(row.blob(5)))
        }
    }

    func set(_ record: FailureRecord, for key: CacheKey, limit: Int) throws(DatabaseError) {
        var tags = ByteWriter(capacity: 64)
        for tag in record.tags { tags.string(tag) }
        try connection.run(
            "INSERT OR REPLACE INTO failure VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                .blob(key.digest.bytes), .blob(key.encoded), .text(record.kind.rawValue), .text(record.reason),
                .init(record.count), .real(record.until.timeIntervalSince1970), .text(record.host), .blob(tags.bytes),
            ])
        let excess = try count - limit
        guard excess > 0 else { return }
        try connection.run(
            "DELETE FROM failure WHERE keyHash IN (SELECT keyHash FROM failure ORDER BY until LIMIT ?)",
            [.init(excess)])
    }

    func remove(_ key: CacheKey) throws(DatabaseError) {
        try connection.run("DELETE FROM failure WHERE keyHash = ?", [.blob(key.digest.bytes)])
    }

    func removeEnded(by now: Date) throws(DatabaseError) {
        try connection.run("DELETE FROM failure WHERE until <= ?", [.real(now.timeIntervalSince1970)])
    }

    /// Forgets the failures of what a purge names, so that the next request asks the origin again.
    func purge(_ selector: PurgeSelector, now: Date) throws(DatabaseError) {
        switch selector {
        case .all: try connection.run("DELETE FROM failure")
        case .expired: try removeEnded(by: now)
        case .host(let host): try connection.run("DELETE FROM failure WHERE host = ?", [.text(host)])
        case .key(let key): try remove(key)
        case .olderThan, .toSize: return
        case .url, .tags, .photo, .variants:
            // Few enough to look at each.
            let matching = try connection.all("SELECT keyHash, key, tags FROM failure") { row -> [UInt8]? in
                guard let key = CacheKey(encoded: row.blob(1)) else { return row.blob(0) }
                let isMatch =
                    switch selector {
                    case .url(let url): !key.isExplicit && key.url == url
                    case .photo(let other): key.isOfSamePhoto(as: other)
                    case .variants(let other): !key.variant.isEmpty && key.isOfSamePhoto(as: other)
                    case .tags(let tags): Self.decode(row.blob(2)).contains { tags.contains($0) }
                    default: false
                    }
                return isMatch ? row.blob(0) : nil
            }
            for keyHash in matching.compactMap(\.self) {
                try connection.run("DELETE FROM failure WHERE keyHash = ?", [.blob(keyHash)])
            }
        }
    }

    var count: Int {
        get throws(DatabaseError) { try connection.first("SELECT count(*) FROM failure") { $0.int(0) } ?? 0 }
    }

    private static func decode(_ bytes: [UInt8]) -> [String] {
        var reader = ByteReader(bytes[...])
        var tags: [String] = []
        while let tag = reader.string() { tags.append(tag) }
        return tags
    }
}
