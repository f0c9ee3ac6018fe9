/// Reads a roster: CSV with a header line, in any of the encodings and with any of the delimiters that spreadsheets write.
package struct RosterReader {
    package static let limitBytes = 64 * 1024 * 1024
    package static let limitRows = 200_000

    private let schoolYear: Int
    private let columns: [RosterColumn?]
    private var roster: ParsedRoster
    private var linesByID: [Int: Int] = [:]
    private var linesBySeat: [Student.Seat: Int] = [:]

    /// Reads every row. Rows that are wrong are listed in ``ParsedRoster/problems``; of two rows with one id or one seat
    /// the second is wrong.
    ///
    /// - Parameter schoolYear: the year that ids are made of where the file has none.
    /// - Throws: ``RecordError/roster(_:)`` if the file as a whole cannot be read.
    package static func read(
        _ bytes: [UInt8], schoolYear: Int = SchoolYear.current()
    ) throws(RecordError) -> ParsedRoster {
        guard bytes.count <= limitBytes else { throw .roster("the file is larger than \(limitBytes / 1_048_576) MiB") }
        let (text, encoding) = try RosterText.decode(bytes)
        let header = try RosterHeader.find(in: text)
        var reader = RosterReader(header, encoding: encoding, schoolYear: schoolYear)
        var lines = header.rest
        while let record = lines.next() {
            guard !record.isBlank else { continue }
            guard reader.rowCount < limitRows else { throw .roster("the file has more than \(limitRows) rows") }
            reader.add(record)
        }
        return reader.roster
    }

    private init(_ header: RosterHeader, encoding: RosterEncoding, schoolYear: Int) {
        self.schoolYear = schoolYear
        columns = header.columns
        roster = ParsedRoster(
            encoding: encoding, delimiter: Character(Unicode.Scalar(header.delimiter)),
            ignoredColumns: header.ignoredColumns)
    }

    private var rowCount = 0

    private mutating func add(_ record: DelimitedText.Record) {
        rowCount += 1
        var row = RosterRow(record, columns: columns)
        if !record.isUnclosed, let student = row.student(schoolYear: schoolYear) {
            if row.hasID, let earlier = linesByID[student.id] {
                row.report(.id, "the id of line \(earlier) again")
            } else if let earlier = linesBySeat[student.seat] {
                row.report(.number, "the seat (grade, class, number) of line \(earlier) again")
            } else {
                // One made of the seat may be the id under which somebody else of the file is recorded still.
                if row.hasID { linesByID[student.id] = record.line }
                linesBySeat[student.seat] = record.line
                roster.rows.append(.init(line: record.line, student: student))
            }
        }
        roster.problems += row.problems
    }
}
