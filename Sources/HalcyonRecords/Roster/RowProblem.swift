/// Why a row of a roster cannot be imported. Never quotes the row.
package struct RowProblem: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The physical line that the row begins on, from 1.
    package let line: Int
    /// `nil` if the row as a whole is wrong.
    package let column: String?
    package let reason: String

    init(line: Int, column: RosterColumn? = nil, reason: String) {
        self.line = line
        self.column = column?.rawValue
        self.reason = reason
    }

    package var description: String { "line \(line), \(column ?? "whole row"): \(reason)" }
}
