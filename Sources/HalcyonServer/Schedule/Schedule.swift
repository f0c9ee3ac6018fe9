package import Foundation

/// When a recurring piece of work is due.
package enum Schedule: Sendable, Hashable {
    /// A fixed time after the round before; less than a second counts as a second.
    case every(Duration)
    case cron(CronExpression)

    /// The first time after `date`; `nil` if there is none within a hundred years.
    package func nextFire(after date: Date, in timeZone: TimeZone = .current) -> Date? {
        switch self {
        case .every(let duration):
            let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
            return date.addingTimeInterval(max(seconds, 1))
        case .cron(let expression):
            return expression.next(after: date, in: timeZone)
        }
    }
}
