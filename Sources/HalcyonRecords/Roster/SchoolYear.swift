#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The year that a student's number begins with. Korean schools begin theirs in March, so January and February belong to
/// the year before.
package enum SchoolYear {
    package static func current(now: Date = Date(), timeZone: TimeZone = .current) -> Int {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let date = calendar.dateComponents([.year, .month], from: now)
        let year = date.year ?? 0
        return (date.month ?? 0) < 3 ? year - 1 : year
    }

    /// School year, grade, class in two digits, number in two digits: 2021, 1, 1, 7 → 202110107.
    package static func studentID(year: Int, grade: Int, classNumber: Int, number: Int) -> Int {
        let gradeDigits = grade > 9 ? 100 : 10
        return ((year * gradeDigits + grade) * 100 + classNumber) * 100 + number
    }
}
