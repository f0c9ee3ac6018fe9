/// What an import did, or would do.
package struct ImportReport: Sendable, Hashable {
    /// Whether anything was written: no problems, or bad rows skipped, and not a dry run. Otherwise the numbers say what
    /// the good rows would have done.
    package internal(set) var isApplied = false
    package internal(set) var added = 0
    package internal(set) var updated = 0
    package internal(set) var unchanged = 0
    /// Rows that cannot be imported, in order of lines.
    package internal(set) var problems: [RowProblem] = []
    /// Photo URLs that a student had before and nobody has afterwards: copies of them may be dropped.
    package internal(set) var removedPhotoURLs: Set<String> = []
    /// `host` or `host:port` of the photo URLs in the good rows, and how many rows name it.
    package internal(set) var hosts: [String: Int] = [:]
}
