import Testing

@testable import SluiceIO

@Suite struct TurnTimesTests {
    @Test func timesAreCountedByPowersOfTwo() {
        var histogram = TurnTimes.Histogram()
        for nanoseconds: UInt64 in [0, 999, 1000, 1999, 2000, 300_000, 3_600_000_000_000] {
            histogram.count(nanoseconds)
        }
        let text = histogram.text(of: "steps")
        let expected = """
            steps of a loop: 7, the longest 3600000000 µs
              < 1 µs: 2
              < 2 µs: 2
              < 4 µs: 1
              < 512 µs: 1
              more: 1

            """
        #expect(text == expected)
    }

    @Test func nothingHasNoBuckets() {
        #expect(TurnTimes.Histogram().text(of: "turns") == "turns of a loop: 0, the longest 0 µs\n")
    }
}
