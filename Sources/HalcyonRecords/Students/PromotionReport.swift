/// What a promotion did, or would do.
package struct PromotionReport: Sendable, Hashable {
    /// Students of one grade, as it was before.
    package struct Grade: Sendable, Hashable {
        package let grade: Int
        package let students: Int
        /// The grade they are in afterwards, `nil` if they leave.
        package let next: Int?
    }

    /// The school year that begins.
    package let year: Int
    package let lastGrade: Int
    package internal(set) var isApplied = false
    package internal(set) var grades: [Grade] = []
    /// Who leaves, as recorded before.
    package internal(set) var leavers: [Student] = []
    /// Students who have another id than before: ids by the rule follow year and seat.
    package internal(set) var renumbered = 0
    /// Guidances of those who leave, valid or not.
    package internal(set) var removedGuidances = 0
}
