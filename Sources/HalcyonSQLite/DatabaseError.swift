/// A failure that SQLite reported. Carries the statement's text, never the values bound to it, so that it may be logged.
package struct DatabaseError: Error, Hashable, CustomStringConvertible {
    /// The extended result code (https://www.sqlite.org/rescode.html).
    package let code: Int32
    package let message: String
    package let sql: String?

    package init(code: Int32, message: String, sql: String? = nil) {
        self.code = code
        self.message = message
        self.sql = sql
    }

    /// The low byte of ``code``: what kind of failure this is, whatever its detail.
    package var primaryCode: Int32 { code & 0xff }

    package var description: String {
        "SQLite \(code): \(message)" + (sql.map { " in: \($0)" } ?? "")
    }
}
