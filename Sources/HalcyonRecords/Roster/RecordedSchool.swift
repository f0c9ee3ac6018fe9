/// What an import finds recorded.
struct RecordedSchool {
    let students: [Student]
    /// Ids under which students were recorded before, and those they have now.
    var formerIDs: [Int: Int] = [:]
    /// Grades that have been promoted and whose seats are still those of the year before.
    var gradesBeforeRoster: Set<Int> = []
    /// The school year of the last promotion.
    var promotedYear: Int?
}
