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

    /// The year that an id of the rule names, `nil` if the rule never gives this id to this seat.
    static func year(ofStudentID id: Int, seat: Student.Seat) -> Int? {
        let year = id / (seat.grade > 9 ? 1_000_000 : 100_000)
        let isByRule =
            (1900...9999).contains(year)
            && id == studentID(year: year, grade: seat.grade, classNumber: seat.classNumber, number: seat.number)
        return isByRule ? year : nil
    }

    /// The school year that begins in the March nearest to `now`: from September on the coming one.
    package static func nearest(now: Date = Date(), timeZone: TimeZone = .current) -> Int {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let date = calendar.dateComponents([.year, .month], from: now)
        return (date.year ?? 0) + ((date.month ?? 0) >= 9 ? 1 : 0)
    }
}

extension Student {
    /// The school year that the id names, `nil` for a free id.
    var yearOfID: Int? { SchoolYear.year(ofStudentID: id, seat: seat) }

    func idByRule(inYear year: Int) -> Int {
        SchoolYear.studentID(year: year, grade: grade, classNumber: classNumber, number: number)
    }

    /// The id in another year and grade: a free one stays.
    func id(inYear year: Int, grade: Int) -> Int {
        guard yearOfID != nil else { return id }
        return SchoolYear.studentID(year: year, grade: grade, classNumber: classNumber, number: number)
    }
}
