/// Why the disk cache cannot do its work.
package enum DiskFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// A system call failed with this `errno`.
    case system(Int32)
    /// SQLite failed with this extended result code.
    case index(Int32)
    /// The index is not a database any more.
    case indexCorrupt
    /// Not opened yet, closed, or waiting to be tried again after a failure.
    case unavailable

    /// SQLITE_FULL.
    var isIndexFull: Bool {
        if case .index(let code) = self { return code & 0xff == 13 }
        return false
    }

    package var description: String {
        switch self {
        case .system(let code): "system error \(code)"
        case .index(let code): "SQLite error \(code)"
        case .indexCorrupt: "the cache index is damaged"
        case .unavailable: "the disk cache is not available"
        }
    }
}
