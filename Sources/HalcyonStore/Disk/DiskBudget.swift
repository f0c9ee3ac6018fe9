/// Bytes on disk: those in the index and those on their way there. What is on its way counts, so that the limit
/// holds at every moment and not only after a commit.
struct DiskBudget {
    let limitBytes: Int
    /// As the index said last.
    var committed = 0
    var reserved = 0

    mutating func reserve(_ bytes: Int) -> Bool {
        guard committed + reserved + bytes <= limitBytes else { return false }
        reserved += bytes
        return true
    }

    mutating func release(_ bytes: Int) { reserved -= bytes }
}
