extension RecordSchema {
    /// Comments and uploaded images go with their notice, and posts with their author. `imageList` of a notice, which
    /// holds the order, names an uploaded image `media:` and its digest. `author` is JSON.
    static let boards = """
        CREATE TABLE comments (
            clubID TEXT NOT NULL,
            noticeID TEXT NOT NULL,
            id TEXT NOT NULL CHECK (length(id) BETWEEN 1 AND 128),
            author TEXT NOT NULL,
            createDate TEXT NOT NULL,
            createdAt INTEGER NOT NULL,
            content TEXT NOT NULL CHECK (length(content) BETWEEN 1 AND 2000),
            PRIMARY KEY (clubID, noticeID, id),
            FOREIGN KEY (clubID, noticeID) REFERENCES notices (clubID, id) ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        CREATE TRIGGER commentAdded AFTER INSERT ON comments BEGIN
            UPDATE notices SET commentCount = commentCount + 1 WHERE clubID = new.clubID AND id = new.noticeID;
        END;
        CREATE TRIGGER commentRemoved AFTER DELETE ON comments BEGIN
            UPDATE notices SET commentCount = commentCount - 1 WHERE clubID = old.clubID AND id = old.noticeID;
        END;

        CREATE TABLE noticeImages (
            clubID TEXT NOT NULL,
            noticeID TEXT NOT NULL,
            digest TEXT NOT NULL REFERENCES media (digest),
            PRIMARY KEY (clubID, noticeID, digest),
            FOREIGN KEY (clubID, noticeID) REFERENCES notices (clubID, id) ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX noticeImagesByDigest ON noticeImages (digest, clubID);
        CREATE INDEX noticesByTime ON notices (clubID, createdAt, id);

        CREATE TABLE lastNoticeID (one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL) STRICT;
        INSERT INTO lastNoticeID SELECT 1, id FROM notices ORDER BY id DESC LIMIT 1;

        CREATE TABLE posts (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            userID INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            day TEXT NOT NULL CHECK (length(day) = 10),
            createdAt INTEGER NOT NULL,
            time TEXT NOT NULL CHECK (length(time) <= 1000),
            intensity TEXT NOT NULL CHECK (length(intensity) <= 1000),
            evaluation TEXT NOT NULL CHECK (length(evaluation) <= 1000),
            comment TEXT NOT NULL CHECK (length(comment) <= 1000),
            sport TEXT NOT NULL CHECK (length(sport) <= 1000),
            image TEXT REFERENCES media (digest)
        ) STRICT;
        CREATE INDEX postsByDay ON posts (day, id);
        CREATE INDEX postsByUser ON posts (userID, id);
        CREATE INDEX postsByImage ON posts (image) WHERE image IS NOT NULL;

        CREATE TABLE exerciseCycles (
            userID INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
            cycle INTEGER NOT NULL CHECK (cycle BETWEEN 1 AND 7)
        ) STRICT;
        """
}
