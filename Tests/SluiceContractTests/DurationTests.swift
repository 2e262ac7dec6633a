import SluiceContract
import Testing

@Suite struct DurationTests {
    @Test(arguments: [
        (Duration.seconds(10), "10 s"), (.milliseconds(250), "250 ms"), (.milliseconds(1500), "1500 ms"),
        (.zero, "0 s"),
        (.seconds(-1), "0 s"),
    ])
    func isTold(_ duration: Duration, _ words: String) {
        #expect(duration.words == words)
    }
}
