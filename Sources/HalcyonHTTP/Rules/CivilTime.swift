#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A moment in the parts that HTTP dates are written in. Own arithmetic, because a `Calendar` costs microseconds and
/// its settings: the calendar repeats every 400 years, which are 146,097 days; years are counted from 1 March, so that
/// the leap day is the last of its year.
struct CivilTime {
    var year: Int
    let month: Int
    let day: Int
    let hour: Int
    let minute: Int
    let second: Int
    /// Days since 1 January 1970.
    private let dayNumber: Int

    /// `nil` for a date or time that does not exist. Second 60 is allowed in every minute.
    init?(_ year: Int, _ month: Int, _ day: Int, _ time: (hour: Int, minute: Int, second: Int)) {
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        guard 1...12 ~= month, 0...23 ~= time.hour, 0...59 ~= time.minute, 0...60 ~= time.second else { return nil }
        let lengths = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard day >= 1, day <= lengths[month - 1] else { return nil }
        self.year = year
        self.month = month
        self.day = day
        (hour, minute, second) = time

        let marchYear = (month < 3 ? year - 1 : year) + 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        dayNumber = marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear - 719_468 - 146_097
    }

    /// Clamped to the years 0–9999.
    init(secondsSince1970 seconds: Double) {
        let earliest = -62_167_219_200.0
        let latest = 253_402_300_799.0
        // The order of the comparisons makes a NaN the earliest moment.
        let whole = Int(seconds > earliest ? min(seconds.rounded(.down), latest) : earliest)
        let secondOfDay = ((whole % 86_400) + 86_400) % 86_400
        dayNumber = (whole - secondOfDay) / 86_400
        (hour, minute, second) = (secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60)

        let days = dayNumber + 719_468 + 146_097
        let dayOfEra = days % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = days / 146_097 * 400 + yearOfEra - 400 + (month < 3 ? 1 : 0)
    }

    /// 0 is Sunday.
    var weekday: Int { ((dayNumber + 4) % 7 + 7) % 7 }

    var date: Date {
        Date(timeIntervalSince1970: Double(dayNumber * 86_400 + hour * 3600 + minute * 60 + second))
    }

    /// From the year to the second, for comparing.
    var parts: [Int] { [year, month, day, hour, minute, second] }
}
