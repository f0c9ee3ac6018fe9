package import Foundation

/// Five fields, `minute hour day-of-month month day-of-week`, as Vixie cron reads them (crontab(5)).
///
/// Fields hold `*`, numbers, ranges, steps and lists; months and weekdays may be named. `7` is Sunday as `0` is. If neither
/// day field begins with `*`, a day matches when either does; otherwise both must. `@hourly`, `@daily`, `@midnight`,
/// `@weekly`, `@monthly`, `@yearly` and `@annually` stand for what they say.
package struct CronExpression: Sendable, Hashable, CustomStringConvertible {
    private let minutes: CronField
    private let hours: CronField
    private let daysOfMonth: CronField
    private let months: CronField
    private let daysOfWeek: CronField
    /// The text as it was given.
    package let description: String

    static let aliases = [
        "@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@weekly": "0 0 * * 0",
        "@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *",
    ]

    package init(_ text: String) throws(CronProblem) {
        description = text
        let words = text.split(whereSeparator: \.isWhitespace)
        let alias = words.count == 1 ? Self.aliases[words[0].lowercased()] : nil
        let fields = alias?.split(separator: " ") ?? words
        guard fields.count == 5 else { throw .fieldCount(fields.count) }
        minutes = try CronField(fields[0], kind: .minute)
        hours = try CronField(fields[1], kind: .hour)
        daysOfMonth = try CronField(fields[2], kind: .dayOfMonth)
        months = try CronField(fields[3], kind: .month)
        daysOfWeek = try CronField(fields[4], kind: .dayOfWeek)
        guard hasPossibleDay else { throw .neverFires(text) }
    }

    /// The first minute after `date` at which the expression fires; `nil` if there is none within a hundred years.
    ///
    /// Across a change of the clocks (as Vixie cron has it): an expression that names its hours fires once for each time it
    /// names. A time that the clocks jump over is made up for at the moment after the jump, once however many were jumped
    /// over; of a time that comes twice the first is taken. An expression whose hour begins with `*` goes by the clock
    /// alone: it neither makes up nor leaves out.
    package func next(after date: Date, in timeZone: TimeZone) -> Date? {
        let after = Int(date.timeIntervalSince1970.rounded(.down))
        let limit = after + Self.horizonSeconds
        // From the day before, so that a change of the clocks just past is known.
        var start = after - 86_400
        var offset = timeZone.offset(at: start)
        // The latest local time that the clocks have shown.
        var highWater = Int.min
        while start < limit {
            let end = min(timeZone.transition(after: start) ?? limit, limit)
            var local = max(start, after + 1) + offset
            if !hours.isStar { local = max(local, highWater) }
            if let match = firstMatch(in: local..<max(local, end + offset)) {
                return Date(timeIntervalSince1970: Double(match - offset))
            }
            let newOffset = timeZone.offset(at: end)
            if !hours.isStar, end > after, newOffset > offset,
                firstMatch(in: max(end + offset, highWater)..<max(end + newOffset, highWater)) != nil
            {
                return Date(timeIntervalSince1970: Double(end))
            }
            highWater = max(highWater, end + offset)
            start = end
            offset = newOffset
        }
        return nil
    }

    /// 29 February on a given weekday comes round within forty years.
    private static let horizonSeconds = 100 * 366 * 86_400

    private var hasPossibleDay: Bool {
        if !daysOfMonth.isStar, !daysOfWeek.isStar { return true }
        return (1...12).contains { month in
            // 2000 is a leap year.
            months.contains(month)
                && (1...CivilDay.length(ofMonth: month, year: 2000)).contains { daysOfMonth.contains($0) }
        }
    }

    private func matches(_ day: CivilDay) -> Bool {
        let isDayOfMonth = daysOfMonth.contains(day.day)
        let isDayOfWeek = daysOfWeek.contains(day.weekday)
        return daysOfMonth.isStar || daysOfWeek.isStar ? isDayOfMonth && isDayOfWeek : isDayOfMonth || isDayOfWeek
    }

    /// The first matching minute among local times, which are counted in seconds as if local time were UTC.
    private func firstMatch(in times: Range<Int>) -> Int? {
        let firstMinute = (times.lowerBound - 1).floored(by: 60) + 1
        var day = CivilDay(number: firstMinute.floored(by: 1440))
        var minuteOfDay = firstMinute - day.number * 1440
        while day.number * 86_400 < times.upperBound {
            if !months.contains(day.month) {
                day = day.nextMonth
            } else {
                if matches(day), let minute = firstMinuteOfDay(from: minuteOfDay) {
                    let time = day.number * 86_400 + minute * 60
                    return time < times.upperBound ? time : nil
                }
                day = day.next
            }
            minuteOfDay = 0
        }
        return nil
    }

    private func firstMinuteOfDay(from minute: Int) -> Int? {
        guard let hour = hours.first(from: minute / 60) else { return nil }
        if hour == minute / 60, let found = minutes.first(from: minute % 60) { return hour * 60 + found }
        let later = hour == minute / 60 ? hours.first(from: hour + 1) : hour
        guard let later, let found = minutes.first(from: 0) else { return nil }
        return later * 60 + found
    }
}

extension TimeZone {
    /// Seconds east of Greenwich.
    fileprivate func offset(at time: Int) -> Int {
        secondsFromGMT(for: Date(timeIntervalSince1970: Double(time)))
    }

    /// When the offset may change next.
    fileprivate func transition(after time: Int) -> Int? {
        nextDaylightSavingTimeTransition(after: Date(timeIntervalSince1970: Double(time)))
            .map { Int($0.timeIntervalSince1970.rounded(.up)) }
            .flatMap { $0 > time ? $0 : nil }
    }
}

extension Int {
    fileprivate func floored(by divisor: Int) -> Int {
        self >= 0 ? self / divisor : (self - divisor + 1) / divisor
    }
}
