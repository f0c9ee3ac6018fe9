internal import HalcyonRecords

extension Options {
    static let schoolYear = Option<Int?>(
        "school-year", optional: .integer("YEAR", in: 1900...9999),
        "Year that ids are made of where the file has none; without it, the present one, which begins in March")
    static let skipBad = Option<Bool>(switch: "skip-bad", "Import the good rows although others are bad")
    static let encoding = Option("encoding", .choice, default: RosterEncoding.utf8, "Encoding of the written file")
    static let byteOrderMark = Option<Bool>(
        switch: "bom", "Begin the file with a byte order mark, which some spreadsheets need to read UTF-8")
    static let query = Option<String?>(
        "q", optional: .text("TEXT"),
        "Only names, or words of them, that begin with this; consonants alone (ㄱㅁㅈ) are those that the syllables begin with"
    )
    static let find = Option<String?>("find", optional: .text("TEXT"), "The older name of --q")

    // MARK: promote

    static let year = Option<Int?>(
        "year", optional: .integer("YEAR", in: 1900...9999),
        "School year that begins; without it, the one that begins in the March nearest to today"
    )
    .only(in: .commandLineOnly)
    static let lastGrade = Option<Int?>(
        "last-grade", optional: .integer(in: 1...99),
        "Grade after which pupils leave; without it, the highest in which there is somebody"
    )
    .only(in: .commandLineOnly)
    static let again = Option<Bool>(
        switch: "again", "Also if pupils have been promoted to this year, or have ids of it, already"
    )
    .only(in: .commandLineOnly)
    static let yes = Option<Bool>(switch: "yes", "Do it").only(in: .commandLineOnly)

    // What is changed in a record is said on the command line alone: a variable left over must not move a pupil.
    static let studentID = Option<Int?>(
        "id", optional: .integer("ID", in: 1...Int.max),
        "Student number; without it, school year, grade, class and number together"
    ).only(in: .commandLineOnly)
    static let number = Option<Int?>("number", optional: .integer(in: 1...99), "Number in the class")
        .only(in: .commandLineOnly)
    static let name = Option<String?>("name", optional: .recordText("TEXT", length: 1...100), "Name").only(
        in: .commandLineOnly)
    static let photoURL = Option<String?>(
        "photo-url", optional: .url(isRecorded: true), "Where the photo is"
    ).only(in: .commandLineOnly)
    static let remove = Option<Bool>(switch: "remove", "Back to no photo").only(in: .commandLineOnly)
    static let withoutPhoto = Option<Bool>(switch: "without-photo", "Record that there is no photo")
        .only(in: .commandLineOnly)
}
