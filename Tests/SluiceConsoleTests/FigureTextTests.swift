import Testing

@testable import SluiceConsole

@Suite struct FigureTextTests {
    @Test(arguments: [
        (0, "0.00"), (0.256, "0.26"), (9.999, "10.00"), (12.34, "12.3"), (840.4, "840"), (9994, "9994"),
        (12_345, "12.3k"), (123_456, "123k"), (31_000_000, "31.0M"), (.infinity, "-"), (-5, "0.00"),
    ])
    func numbers(_ value: Double, _ text: String) { #expect(FigureText.number(value) == text) }

    @Test(
        arguments: [
            (nil, "-"), (0, "0 µs"), (0.000_45, "450 µs"), (0.001, "1.0 ms"), (0.0125, "12.5 ms"), (0.25, "250 ms"),
            (0.9999, "1.0 s"), (12.34, "12.3 s"), (300, "300 s"),
        ] as [(Double?, String)])
    func times(_ seconds: Double?, _ text: String) { #expect(FigureText.time(seconds) == text) }

    @Test(
        arguments: [(nil, "-"), (0, "0 %"), (0.0025, "0.25 %"), (0.125, "12.5 %"), (1, "100 %"), (0.9999, "100 %")]
            as [(Double?, String)])
    func shares(_ share: Double?, _ text: String) { #expect(FigureText.share(share) == text) }

    @Test(arguments: [(40, "40 s"), (65, "1 min"), (7500, "2 h 5 min"), (273_700, "3 d 4 h")])
    func durations(_ seconds: Double, _ text: String) { #expect(FigureText.duration(seconds) == text) }

    /// No figure ends the program.
    @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300])
    func strangeFigures(_ value: Double) {
        #expect(!FigureText.number(value).isEmpty && !FigureText.count(value).isEmpty)
        #expect(!FigureText.time(value).isEmpty && !FigureText.share(value).isEmpty)
        #expect(!FigureText.bytes(value).isEmpty && !FigureText.duration(value).isEmpty)
    }

    @Test(arguments: [(5, "5 B"), (2048, "2.0 KiB"), (12_582_912, "12 MiB"), (1_610_612_736, "1.5 GiB")])
    func sizes(_ bytes: Double, _ text: String) { #expect(FigureText.bytes(bytes) == text) }
}
