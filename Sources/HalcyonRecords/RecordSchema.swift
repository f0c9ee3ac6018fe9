/// The tables of the record database. A released migration is never edited; the next one is appended.
enum RecordSchema {
    static let migrations = [students]

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
}
