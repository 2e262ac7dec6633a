import Testing

@testable import SluiceRules

@Suite struct QuantityTests {
    @Test(arguments: [
        ("250ms", Duration.milliseconds(250)), ("10s", .seconds(10)), ("5m", .seconds(300)), ("1h", .seconds(3600)),
        ("1d", .seconds(86_400)), ("0", .zero), ("0s", .zero),
    ])
    func readsDurations(_ text: String, _ duration: Duration) {
        #expect(Quantity.duration(text) == duration)
    }

    @Test(arguments: [
        "", "10", "s", "1.5s", "-1s", "1 s", "36501d", "1S", "1w", "99999999999999999999s", "9223372036854775807d",
    ])
    func refusesDurations(_ text: String) {
        #expect(Quantity.duration(text) == nil)
    }

    @Test(arguments: [("64KiB", 65_536), ("1MiB", 1 << 20), ("4GiB", 4 << 30), ("512B", 512), ("0", 0)])
    func readsSizes(_ text: String, _ bytes: Int) {
        #expect(Quantity.bytes(text) == bytes)
    }

    @Test(arguments: ["", "64", "64KB", "64kib", "1.5MiB", "-1B", "9223372036854775807KiB"])
    func refusesSizes(_ text: String) {
        #expect(Quantity.bytes(text) == nil)
    }

    @Test(arguments: [("64k", "64KiB"), ("1MB", "1MiB"), ("64 KiB", "64KiB"), ("4096", "4096B"), ("2gb", "2GiB")])
    func guessesSizes(_ text: String, _ guess: String) {
        #expect(Quantity.nearestSize(text) == guess)
    }

    @Test(
        arguments: [
            ("10", "10s"), ("10 seconds", "10s"), ("1.5s", "1500ms"), ("2min", "2m"), ("90 Sec", "90s"),
            ("500 ms", "500ms"),
            ("1.5", "1500ms"), ("1day", "1d"), ("soon", nil), ("", nil), ("1 fortnight", nil), ("99999999999", nil),
        ] as [(String, String?)])
    func guessesDurations(_ text: String, _ guess: String?) {
        #expect(Quantity.nearestDuration(text) == guess)
    }

    @Test(arguments: [0, 1, 999, 1_000, 60_000, 90_000, 3_600_000, 86_400_000, 86_400_001])
    func writesWhatItReads(_ milliseconds: Int) {
        let duration = Duration.milliseconds(milliseconds)
        #expect(Quantity.duration(Quantity.text(duration)) == duration)
        #expect(Quantity.bytes(Quantity.text(bytes: milliseconds)) == milliseconds)
    }

    /// A declaration in Swift may have shorter ones than YAML can say.
    @Test(arguments: [(1, "1ms"), (1_000, "1ms"), (1_001, "2ms"), (1_999_001, "2s")])
    func whatIsShorterThanAMillisecondIsNotNothing(microseconds: Int, text: String) {
        #expect(Quantity.text(.microseconds(microseconds)) == text)
    }
}
