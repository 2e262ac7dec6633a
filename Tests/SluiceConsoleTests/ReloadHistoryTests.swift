import Testing

@testable import SluiceConsole

@Suite struct ReloadHistoryTests {
    private static func text(_ history: ReloadHistory) -> String { String(decoding: history.bytes, as: UTF8.self) }

    @Test func newestFirst() {
        var history = ReloadHistory()
        history.note(at: 10, .start)
        history.note(at: 20, .request, changes: [ConfigurationChange(key: "drain", before: "30s", after: "1m")])
        history.note(at: 30, .signal, faults: ["a.yaml:1:2: no"])
        #expect(
            Self.text(history) == #"{"reloads":["#
                + #"{"at":30,"accepted":false,"cause":"signal","changes":[],"more":0,"faults":["a.yaml:1:2: no"]},"#
                + #"{"at":20,"accepted":true,"cause":"request","changes":"#
                + #"[{"key":"drain","before":"30s","after":"1m"}],"more":0,"faults":[]},"#
                + #"{"at":10,"accepted":true,"cause":"start","changes":[],"more":0,"faults":[]}]}"# + "\n")
    }

    @Test func namesWhatIsRead() {
        #expect(Self.text(ReloadHistory(of: "/etc/a.yaml")) == #"{"file":"/etc/a.yaml","reloads":[]}"# + "\n")
    }

    @Test func everythingIsBounded() {
        var history = ReloadHistory()
        let long = String(repeating: "x", count: 10_000)
        let change = ConfigurationChange(key: long, before: long, after: nil)
        for time in 0..<100 {
            history.note(
                at: time, .signal, changes: Array(repeating: change, count: 300),
                faults: Array(repeating: long, count: 100))
        }
        let text = Self.text(history)
        #expect(text.contains(#""at":99"#) && text.contains(#""at":50"#) && !text.contains(#""at":49"#))
        #expect(text.contains(#""more":100"#))
        #expect(text.utf8.count < 50 * (200 * 700 + 50 * 400))
    }
}
