import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct LogSectionTests {
    /// `off` and `on` are truth values of YAML 1.1; here they are words.
    @Test(arguments: [
        ("off", nil), ("on", "-"), ("-", "-"), ("access.log", "/etc/sluice/access.log"), ("/var/log/a", "/var/log/a"),
    ])
    func readsTheAccessLog(_ value: String, _ path: String?) {
        #expect(Bench("log: {access: \(value)}\n").configuration().log.access == path)
    }

    @Test func readsLevelAndFormat() {
        let log = Bench("log: {level: debug, format: json, query: none}\n").configuration().log
        #expect(log.query == .none)
        #expect(Bench("log: {}\n").configuration().log.query == .masked)
        #expect(log.level == .debug)
        #expect(log.format == .json)
    }

    @Test func refuses() {
        #expect(
            Bench("log: {level: debgu, format: xml}\n").mistakes
                == ["1:14: the text 'debgu' is not known here → debug", "1:29: the text 'xml' is not known here"])
    }
}
