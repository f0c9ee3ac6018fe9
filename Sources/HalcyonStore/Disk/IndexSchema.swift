/// The tables of the index.
///
/// Every question of a purge, a sweep or the statistics is answered from the index; no folder is walked. What is asked
/// with each load or sweep has a B-tree; purges by host or age, which somebody asks for by hand, read the table.
/// Totals are kept in `state`, in the transaction that changes them.
enum IndexSchema {
    static let migrations = [
        """
        CREATE TABLE state(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID, STRICT;
        INSERT INTO state VALUES ('keyVersion', \(version)), ('entries', 0), ('bytes', 0), ('orphanSweepAt', 0),
            ('isRebuilding', 1);
        CREATE TABLE entry(
            id INTEGER PRIMARY KEY, keyHash BLOB NOT NULL UNIQUE, key BLOB NOT NULL, name BLOB NOT NULL,
            extension TEXT NOT NULL, size INTEGER NOT NULL, host TEXT NOT NULL, photoHash INTEGER NOT NULL,
            storedAt REAL NOT NULL, expiresAt REAL, removableAt REAL, lastAccess REAL NOT NULL, metadata BLOB NOT NULL
        ) STRICT;
        CREATE INDEX entryByExpiry ON entry(expiresAt);
        CREATE INDEX entryByRemoval ON entry(removableAt);
        CREATE INDEX entryByAccess ON entry(lastAccess);
        CREATE INDEX entryByPhoto ON entry(photoHash);
        CREATE TABLE tag(tag TEXT NOT NULL, entry INTEGER NOT NULL, size INTEGER NOT NULL, PRIMARY KEY(tag, entry))
            WITHOUT ROWID, STRICT;
        CREATE TABLE purge(
            sequence INTEGER PRIMARY KEY AUTOINCREMENT, selector TEXT NOT NULL, process INTEGER NOT NULL) STRICT;
        CREATE TABLE failure(
            keyHash BLOB PRIMARY KEY, key BLOB NOT NULL, kind TEXT NOT NULL, reason TEXT NOT NULL,
            count INTEGER NOT NULL, until REAL NOT NULL, host TEXT NOT NULL, tags BLOB NOT NULL) WITHOUT ROWID, STRICT;
        CREATE INDEX failureByEnd ON failure(until);
        CREATE TABLE session(process INTEGER PRIMARY KEY, pid INTEGER NOT NULL) STRICT;
        """
    ]

    /// Formats of key and object file together: an index of another one is set aside and its files are dropped.
    static let version = Int(CacheKey.formatVersion) << 16 | Int(ObjectTrailer.formatVersion)
}
