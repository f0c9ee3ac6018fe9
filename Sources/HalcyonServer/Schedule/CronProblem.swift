/// Why a text is not a cron expression.
package enum CronProblem: Error, Sendable, Hashable, CustomStringConvertible {
    case fieldCount(Int)
    case field(String, value: String, accepted: String)
    /// No day of any year has this day and month, such as 30 February.
    case neverFires(String)

    package var description: String {
        switch self {
        case .fieldCount(let count):
            "a cron expression has five fields (minute hour day-of-month month day-of-week), this has \(count); "
                + "accepted too are " + CronExpression.aliases.keys.sorted().joined(separator: ", ")
        case .field(let name, let value, let accepted):
            "\(name): '\(value)' is not accepted; accepted is \(accepted)"
        case .neverFires(let text):
            "'\(text)' names a day of the month that none of its months has"
        }
    }
}
