/// One row on its way to a student, collecting everything that is wrong with it.
struct RosterRow {
    private let line: Int
    private var values: [RosterColumn: String] = [:]
    private(set) var problems: [RowProblem] = []

    init(_ record: DelimitedText.Record, columns: [RosterColumn?]) {
        line = record.line
        if record.isUnclosed {
            let index = record.fields.count - 1
            let reason = "a quoted field begins in this row and is never closed; nothing from here on was read"
            report(index < columns.count ? columns[index] : nil, reason)
            return
        }
        if let index = record.fieldAfterQuote {
            report(
                index < columns.count ? columns[index] : nil,
                "text follows a closing quote; a quote inside a quoted field is written twice")
        }
        for (index, field) in record.fields.enumerated() {
            let value = StudentRules.trimmed(field)
            if index < columns.count {
                if let column = columns[index] { values[column] = value }
            } else if !value.isEmpty {
                report(nil, "\(record.fields.count) fields, where the header has \(columns.count)")
                break
            }
        }
    }

    var hasID: Bool { values[.id].map { !$0.isEmpty } ?? false }

    mutating func report(_ column: RosterColumn?, _ reason: String) {
        problems.append(RowProblem(line: line, column: column, reason: reason))
    }

    /// `nil` if anything is wrong, which ``problems`` then tells.
    mutating func student(schoolYear: Int) -> Student? {
        let grade = number(.grade)
        let classNumber = number(.classNumber)
        let number = number(.number)
        let id = hasID ? self.number(.id) : nil
        let name = checked(.name) { value throws(RecordError) in try StudentRules.name(value) }
        let photoURL = checked(.profileImageURL) { value throws(RecordError) in try StudentRules.photoURL(value) }
        guard problems.isEmpty, let grade, let classNumber, let number, let name, let photoURL else { return nil }
        do {
            return try Student(
                id: id
                    ?? SchoolYear.studentID(year: schoolYear, grade: grade, classNumber: classNumber, number: number),
                grade: grade, classNumber: classNumber, number: number, name: name, profileImageURL: photoURL)
        } catch {
            report(nil, error.description)
            return nil
        }
    }

    /// Digits, full-width ones too, with or without the column's unit: `7`, `07`, `７`, `7번`.
    private mutating func number(_ column: RosterColumn) -> Int? {
        checked(column) { value throws(RecordError) in
            let digits = column.unit.flatMap { value.hasSuffix($0) ? value.dropLast($0.count) : nil } ?? value[...]
            let parsed = Self.wholeNumber(StudentRules.trimmed(digits)) ?? -1
            return column == .id
                ? try StudentRules.id(parsed) : try StudentRules.seat(parsed, field: column.rawValue)
        }
    }

    private static func wholeNumber(_ text: String) -> Int? {
        let digits = text.unicodeScalars.map { scalar in
            switch scalar {
            case "0"..."9": scalar.value - 0x30
            case "\u{FF10}"..."\u{FF19}": scalar.value - 0xFF10
            default: 10 as UInt32
            }
        }
        // Sixteen digits hold 2^53 and cannot overflow.
        guard (1...16).contains(digits.count), digits.allSatisfy({ $0 < 10 }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1) }
    }

    private mutating func checked<T>(_ column: RosterColumn, _ read: (String) throws(RecordError) -> T) -> T? {
        do throws(RecordError) {
            return try read(values[column] ?? "")
        } catch {
            if case .invalid(_, let accepted) = error { report(column, "accepted is \(accepted)") }
            return nil
        }
    }
}
