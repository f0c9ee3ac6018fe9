/// The tables of the record database. A released migration is never edited; the next one is appended.
enum RecordSchema {
    static let migrations = [students, guidancesNoticesUsers, mark, journal, media, boards, school, formerIDs]

    /// In the header of the file, by which it is told from those of other programs: "Halc".
    static let applicationID = 0x4861_6C63

    private static let mark = "PRAGMA application_id=\(applicationID)"

    /// Who changed which record when: audit trail, event log and what tells other processes. AUTOINCREMENT, so that no
    /// number is used twice when old entries have been pruned.
    private static let journal = """
        CREATE TABLE changes (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            actor TEXT NOT NULL,
            topic TEXT NOT NULL,
            action TEXT NOT NULL,
            record TEXT NOT NULL,
            scope TEXT,
            fields TEXT NOT NULL DEFAULT ''
        ) STRICT;
        """

    private static let students = """
        CREATE TABLE students (
            id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 9007199254740991),
            grade INTEGER NOT NULL CHECK (grade BETWEEN 1 AND 99),
            classNumber INTEGER NOT NULL CHECK (classNumber BETWEEN 1 AND 99),
            number INTEGER NOT NULL CHECK (number BETWEEN 1 AND 99),
            name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
            profileImageURL TEXT CHECK (length(profileImageURL) BETWEEN 1 AND 8192),
            UNIQUE (grade, classNumber, number)
        ) STRICT;
        """

    /// Times are milliseconds since 1970. Foreign keys to students are checked at the commit, because an import takes
    /// students who change seats out and puts them back. `rootUser` and `imageList` are JSON.
    private static let guidancesNoticesUsers = """
        CREATE TABLE guidances (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            studentID INTEGER NOT NULL REFERENCES students (id) DEFERRABLE INITIALLY DEFERRED,
            reason TEXT NOT NULL CHECK (reason IN ('복장 불량', '실내화 없음', '무단횡단', '기타')),
            detail TEXT CHECK (detail IS NULL OR reason = '기타' AND length(detail) BETWEEN 1 AND 1000),
            createdAt INTEGER NOT NULL,
            deletedAt INTEGER
        ) STRICT;
        CREATE INDEX guidancesByStudent ON guidances (studentID);

        CREATE TABLE notices (
            clubID TEXT NOT NULL CHECK (length(clubID) BETWEEN 1 AND 128),
            id TEXT NOT NULL CHECK (length(id) BETWEEN 1 AND 128),
            rootUser TEXT NOT NULL,
            title TEXT NOT NULL CHECK (length(title) BETWEEN 1 AND 200),
            content TEXT NOT NULL CHECK (length(content) <= 20000),
            createDate TEXT NOT NULL,
            createdAt INTEGER NOT NULL,
            imageList TEXT NOT NULL,
            commentCount INTEGER NOT NULL DEFAULT 0 CHECK (commentCount >= 0),
            PRIMARY KEY (clubID, id)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE users (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            email TEXT NOT NULL UNIQUE CHECK (length(email) BETWEEN 3 AND 254),
            userName TEXT NOT NULL CHECK (length(userName) BETWEEN 1 AND 100),
            role TEXT NOT NULL CHECK (role IN ('viewer', 'staff', 'admin')),
            passwordHash TEXT NOT NULL,
            createdAt INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE tokens (
            hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
            userID INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            expiresAt INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX tokensByUser ON tokens (userID);
        """

    /// Images that belong to records; the files are named so (``MediaID``). Every column that names one refers here and
    /// has an index.
    private static let media = """
        CREATE TABLE media (
            digest TEXT PRIMARY KEY CHECK (length(digest) BETWEEN 66 AND 70),
            contentType TEXT NOT NULL CHECK (length(contentType) BETWEEN 1 AND 64),
            byteCount INTEGER NOT NULL CHECK (byteCount > 0),
            width INTEGER NOT NULL CHECK (width >= 0),
            height INTEGER NOT NULL CHECK (height >= 0),
            createdAt INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        ALTER TABLE students ADD COLUMN photo TEXT REFERENCES media (digest);
        CREATE INDEX studentsByPhoto ON students (photo) WHERE photo IS NOT NULL;
        """

    /// `studentNames` holds what names are found by, see `NameKeys`; `seat` is `Student.Seat.rank`. Guidances know the class
    /// of their student as it is now, so that a page of a grade or class costs no more than any other.
    private static let school = """
        CREATE TABLE studentNames (
            key TEXT NOT NULL,
            seat INTEGER NOT NULL,
            studentID INTEGER NOT NULL REFERENCES students (id) ON UPDATE CASCADE ON DELETE CASCADE,
            PRIMARY KEY (key, seat, studentID)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX studentNamesByStudent ON studentNames (studentID);

        ALTER TABLE guidances ADD COLUMN grade INTEGER;
        ALTER TABLE guidances ADD COLUMN classNumber INTEGER;
        UPDATE guidances SET (grade, classNumber) =
            (SELECT s.grade, s.classNumber FROM students s WHERE s.id = guidances.studentID);
        CREATE TRIGGER guidancesFollowTheirStudent AFTER UPDATE OF id, grade, classNumber ON students
            WHEN (NEW.id, NEW.grade, NEW.classNumber) <> (OLD.id, OLD.grade, OLD.classNumber) BEGIN
            UPDATE guidances SET studentID = NEW.id, grade = NEW.grade, classNumber = NEW.classNumber
                WHERE studentID = OLD.id;
        END;
        CREATE TRIGGER guidancesFindTheirStudentAgain AFTER INSERT ON students BEGIN
            UPDATE guidances SET grade = NEW.grade, classNumber = NEW.classNumber WHERE studentID = NEW.id;
        END;
        CREATE INDEX guidancesByTime ON guidances (createdAt, id, deletedAt, grade, classNumber);
        CREATE INDEX guidancesByGrade ON guidances (grade, createdAt, id, deletedAt);
        CREATE INDEX guidancesByClass ON guidances (grade, classNumber, createdAt, id, deletedAt);
        CREATE INDEX guidancesDeleted ON guidances (createdAt, id) WHERE deletedAt IS NOT NULL;

        CREATE TABLE promotions (id INTEGER PRIMARY KEY, year INTEGER NOT NULL, at INTEGER NOT NULL) STRICT;
        CREATE TABLE gradesBeforeRoster (grade INTEGER PRIMARY KEY) STRICT;
        """

    /// Ids under which students were recorded before theirs followed a new year or seat. An id that is somebody else's by
    /// now stays here for whom it was before.
    private static let formerIDs = """
        CREATE TABLE formerIDs (
            former INTEGER PRIMARY KEY,
            studentID INTEGER NOT NULL REFERENCES students (id) ON UPDATE CASCADE ON DELETE CASCADE
                DEFERRABLE INITIALLY DEFERRED
        ) STRICT;
        CREATE INDEX formerIDsByStudent ON formerIDs (studentID);
        """
}
