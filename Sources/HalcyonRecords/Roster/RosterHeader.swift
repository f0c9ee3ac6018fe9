/// The header line of a roster, and what it says about the lines below it.
struct RosterHeader {
    let delimiter: UInt8
    /// The column of each field, `nil` where the header is not one of ours.
    let columns: [RosterColumn?]
    let ignoredColumns: [String]
    /// The text after the header.
    let rest: DelimitedText

    /// The delimiter is the one that makes the most sense of the header: whichever finds the most columns.
    static func find(in text: [UInt8]) throws(RecordError) -> RosterHeader {
        var unclosedLine: Int?
        var best: (header: RosterHeader, line: Int, found: Int)?
        for delimiter in [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")] {
            var lines = DelimitedText(text, delimiter: delimiter)
            guard let record = firstRecord(&lines) else { continue }
            guard !record.isUnclosed else {
                unclosedLine = unclosedLine ?? record.line
                continue
            }
            let columns = record.fields.map { RosterColumn(header: $0) }
            let found = columns.count { $0 != nil }
            guard found > best?.found ?? -1 else { continue }
            let ignored = zip(record.fields, columns).filter { $1 == nil }.map { StudentRules.trimmed($0.0) }
            best = (
                RosterHeader(
                    delimiter: delimiter, columns: columns, ignoredColumns: ignored.filter { !$0.isEmpty }, rest: lines),
                record.line, found
            )
        }
        if best?.found ?? 0 == 0, let unclosedLine {
            throw .roster("line \(unclosedLine): a quoted field begins here and is never closed")
        }
        guard let best else { throw .roster("the file is empty; its first line must be a header") }
        try best.header.check(line: best.line)
        return best.header
    }

    /// The first line that is not blank, and not the `sep=;` that spreadsheets write above the header.
    private static func firstRecord(_ lines: inout DelimitedText) -> DelimitedText.Record? {
        while let record = lines.next() {
            let isSeparatorHint = record.fields.first?.lowercased().hasPrefix("sep=") ?? false
            if !record.isBlank, !isSeparatorHint { return record }
        }
        return nil
    }

    private func check(line: Int) throws(RecordError) {
        for column in RosterColumn.allCases {
            let count = columns.count { $0 == column }
            guard count <= 1 else {
                throw .roster("line \(line): the header has \(count) columns for \(column.rawValue)")
            }
            guard count == 1 || !column.isRequired else {
                throw .roster(
                    "line \(line): the header has no column for \(column.rawValue); accepted are "
                        + column.aliases.joined(separator: ", "))
            }
        }
    }
}
