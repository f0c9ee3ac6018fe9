/// A user's exercise in numbers.
package struct ExerciseSummary: Sendable, Hashable {
    /// How often a week the user means to exercise, 1…7; 0 until it is set.
    package let cycle: Int
    package let postCount: Int
    /// From Monday to Sunday of this week.
    package let postCountThisWeek: Int

    package static let cycleRange = 1...7
}
