import SluiceContract
import Testing

@Suite struct CivilDateTests {
    @Test(
        arguments: [
            (0, 1970, 1, 1), (-1, 1969, 12, 31), (11_016, 2000, 2, 29), (11_017, 2000, 3, 1), (19_782, 2024, 2, 29),
            (47_540, 2100, 2, 28), (47_541, 2100, 3, 1), (2_932_896, 9999, 12, 31), (-719_528, 0, 1, 1),
            (-719_529, -1, 12, 31),
        ])
    func days(number: Int, year: Int, month: Int, day: Int) {
        let date = CivilDate(year: year, month: month, day: day)
        #expect(CivilDate(day: number) == date)
        #expect(date.dayNumber == number && date.isReal)
    }

    /// Each day is the one after the day before, for 800 years.
    @Test func goesOn() {
        var last = CivilDate(day: -200_000)
        for number in -199_999..<100_000 {
            let date = CivilDate(day: number)
            let isNext = date.day == last.day + 1 && date.month == last.month
            let beginsMonth = date.day == 1 && last.day >= 28 && date.month == last.month % 12 + 1
            #expect(isNext || beginsMonth, "\(date)")
            if date.dayNumber != number { Issue.record("\(date)") }
            last = date
        }
    }

    @Test(arguments: [(2023, 2, 29), (1900, 2, 29), (2024, 4, 31), (2024, 13, 1), (2024, 0, 1), (2024, 1, 0)])
    func whatTheCalendarLacks(year: Int, month: Int, day: Int) {
        #expect(!CivilDate(year: year, month: month, day: day).isReal)
    }

    @Test func floors() {
        #expect((-1).floorDivided(by: 1000) == (-1, 999))
        #expect((-1000).floorDivided(by: 1000) == (-1, 0))
        #expect(1999.floorDivided(by: 1000) == (1, 999))
    }
}
