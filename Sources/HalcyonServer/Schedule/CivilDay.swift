/// A day of the proleptic Gregorian calendar, without a time zone.
struct CivilDay {
    private(set) var year: Int
    private(set) var month: Int
    private(set) var day: Int
    /// Days since 1970-01-01.
    private(set) var number: Int

    /// Howard Hinnant's `civil_from_days` (https://howardhinnant.github.io/date_algorithms.html): the year is counted from
    /// March, so that the leap day is its last.
    init(number: Int) {
        self.number = number
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// 0 is Sunday; 1970-01-01 was a Thursday.
    var weekday: Int { ((number + 4) % 7 + 7) % 7 }

    var next: CivilDay { CivilDay(number: number + 1) }

    /// The first of the following month.
    var nextMonth: CivilDay { CivilDay(number: number + Self.length(ofMonth: month, year: year) - day + 1) }

    static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
