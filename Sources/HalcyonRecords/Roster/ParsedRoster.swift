/// A roster file as it was understood, before anything is known of the students already recorded.
package struct ParsedRoster: Sendable, Hashable {
    package struct Row: Sendable, Hashable {
        /// The physical line that the row begins on, from 1.
        package let line: Int
        package let student: Student
    }

    package let encoding: RosterEncoding
    /// `,`, `;` or a tab.
    package let delimiter: Character
    /// Headers that no column was recognised in; their values are not read.
    package let ignoredColumns: [String]
    /// The good rows, no two of them with one given id or one seat.
    package internal(set) var rows: [Row] = []
    /// What is wrong with the others, in order of lines.
    package internal(set) var problems: [RowProblem] = []
}
