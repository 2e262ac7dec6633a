/// A day of the proleptic Gregorian calendar, counted from 1970-01-01.
///
/// Both ways go by years that begin in March, so that the leap day is the last of its year, and by eras of 400 years.
public struct CivilDate: Hashable, Sendable {
    public var year: Int
    /// 1 is January.
    public var month: Int
    public var day: Int

    public init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// - Parameter number: days since 1970-01-01.
    public init(day number: Int) {
        let (era, dayOfEra) = (number + 719_468).floorDivided(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days since 1970-01-01.
    public var dayNumber: Int {
        let (era, yearOfEra) = (month <= 2 ? year - 1 : year).floorDivided(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Whether the calendar has it.
    public var isReal: Bool { (1...12).contains(month) && day >= 1 && CivilDate(day: dayNumber) == self }
}

extension Int {
    /// - Parameter divisor: above 0.
    /// - Returns: the remainder is never below 0.
    public func floorDivided(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
