import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct LogSectionTests {
    /// `off` and `on` are truth values of YAML 1.1; here they are words.
    @Test(
        arguments: [
            ("off", nil), ("on", .output), ("-", .output), ("access.log", .file("/etc/sluice/access.log")),
            ("/var/log/a", .file("/var/log/a")), ("journal", .journal), ("./journal", .file("/etc/sluice/./journal")),
            ("journal:/run/host/journal", .journal(socket: "/run/host/journal")),
        ] as [(String, LogSettings.AccessPlace?)])
    func readsTheAccessLog(_ value: String, _ place: LogSettings.AccessPlace?) {
        #expect(Bench("log: {access: \(value)}\n").configuration().log.access == place)
    }

    @Test(arguments: [("off", nil), ("on", "-"), ("-", "-"), ("audit.log", "/etc/sluice/audit.log")])
    func readsTheAuditLog(_ value: String, _ path: String?) {
        #expect(Bench("log: {audit: \(value)}\n").configuration().log.audit == path)
    }

    /// What `--explain` prints is read again as the same.
    @Test(
        arguments: [nil, .output, .journal, .journal(socket: "/a/b"), .file("/var/log/a")] as [LogSettings.AccessPlace?]
    )
    func writesTheAccessLog(_ place: LogSettings.AccessPlace?) {
        var configuration = Configuration()
        configuration.log.access = place
        configuration.log.accessFormat = .combined
        let log = Bench(Explain.yaml(configuration)).configuration().log
        #expect(log.access == place && log.accessFormat == .combined)
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
