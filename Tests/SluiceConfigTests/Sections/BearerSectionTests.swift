import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct BearerSectionTests {
    private func bench(_ bearer: String, _ files: [String: Bench.File] = [:]) -> Bench {
        var bench = fruit("GET /a: {to: fruit /a}", upstream: "bearer: \(bearer)")
        bench.files = files
        bench.environment = ["TOKEN": "abc", "EMPTY": "", "BROKEN": "a\nb"]
        return bench
    }

    @Test func readsEachSource() {
        #expect(bench("{value: a-b_c.~+/==}").configuration().upstreams.first?.bearer == .value("a-b_c.~+/=="))
        #expect(bench("{env: TOKEN}").configuration().upstreams.first?.bearer == .env("TOKEN"))
        #expect(
            bench("{file: /t}", ["/t": .init(text: "abc\n")]).configuration().upstreams.first?.bearer == .file("/t"))
    }

    @Test func looksForFilesWithCredentialsFirst() {
        var bench = bench("{file: t}", ["/run/c/t": .init(text: "a"), "/etc/sluice/t": .init(text: "b")])
        #expect(bench.configuration().upstreams.first?.bearer == .file("/etc/sluice/t"))
        bench.credentialsDirectory = "/run/c"
        #expect(bench.configuration().upstreams.first?.bearer == .file("/run/c/t"))
        bench.files["/run/c/t"] = nil
        #expect(bench.configuration().upstreams.first?.bearer == .file("/etc/sluice/t"))
    }

    @Test func takesTheDirectoryFromTheEnvironment() {
        var bench = bench("{file: t}", ["/run/c/t": .init(text: "a")])
        bench.environment["CREDENTIALS_DIRECTORY"] = "/run/c"
        #expect(bench.configuration().upstreams.first?.bearer == .file("/run/c/t"))
    }

    @Test(arguments: [
        ("{}", "6:13: the token has no source"), ("{value: a, env: TOKEN}", "6:13: the token has several sources"),
        ("abc", "6:13: a bearer is a mapping → write {value: …}, {env: NAME} or {file: NAME}"),
        ("false", "6:13: a bearer is a mapping → leave the key out where there is no token"),
        ("{value: ''}", "6:21: the token is empty"),
        ("{value: a b}", "6:21: the token holds a character that no field can"),
        ("{env: TOKNE}", "6:19: the environment has no variable 'TOKNE' → TOKEN"),
        ("{env: EMPTY}", "6:19: variable 'EMPTY' holds no token"),
        ("{env: BROKEN}", "6:19: variable 'BROKEN' holds no token"),
        ("{file: none}", "6:20: file '/etc/sluice/none' cannot be read: there is no such file"),
        ("{file: /open}", "6:20: file '/open' holds a secret and can be read by everybody → run: chmod g-w,o= /open"),
        ("{file: /blank}", "6:20: file '/blank' is empty"),
        (
            "{file: /group}",
            "6:20: file '/group' holds a secret and can be written by others → run: chmod g-w,o= /group"
        ),
        (
            "{file: /two}",
            "6:20: file '/two' holds a blank, a control character or a non-ASCII character at byte 1"
        ),
        ("{file: /long}", "6:20: file '/long' is longer than 16384 bytes"),
        ("{fil: a}", "6:14: unknown key 'fil' → file"), ("{s3cret: a}", "6:14: unknown key"),
    ])
    func refuses(_ bearer: String, _ mistake: String) {
        let files: [String: Bench.File] = [
            "/open": .init(text: "a", permissions: 0o644), "/group": .init(text: "a", permissions: 0o660),
            "/long": .init(text: String(repeating: "a", count: 20_000)), "/blank": .init(text: " \n"),
            "/two": .init(text: "a\nb\n"),
        ]
        #expect(bench(bearer, files).mistakes.contains(mistake))
    }

    /// What the daemon is given by somebody else cannot be seen where the page is checked.
    @Test(arguments: [
        ("{file: none}", "6:20: file '/etc/sluice/none' cannot be read from here: there is no such file"),
        ("{file: /none}", "6:20: file '/none' cannot be read from here: there is no such file"),
        ("{env: MISSING}", "6:19: the environment has no variable 'MISSING' here"),
    ])
    func secretsMayBeOutOfSight(_ bearer: String, _ warning: String) {
        var bench = bench(bearer)
        #expect(bench.mistakes.count == 1)
        bench.secrets = .reported
        #expect(bench.mistakes.isEmpty)
        let advice = bearer.hasPrefix("{env") ? ReadingContext.unset : ReadingContext.unseen
        #expect(bench.warnings == [warning + " → \(advice)"])
        bench.secrets = .ignored
        #expect(bench.mistakes.isEmpty && bench.warnings.isEmpty)
        #expect(bench.configuration().upstreams.first?.bearer != nil)
    }

    /// What is in sight and wrong stays a mistake.
    @Test func secretsInSightAreJudged() {
        var bench = bench("{file: /open}", ["/open": .init(text: "a", permissions: 0o644)])
        bench.secrets = .reported
        #expect(bench.mistakes.count == 1)
        bench = self.bench("{env: BROKEN}")
        bench.secrets = .reported
        #expect(bench.mistakes.count == 1)
    }

    /// Engines of containers decide on modes; elsewhere than on their mounts that is told.
    @Test func aContainerWarns() {
        let bench = bench("{file: /open}", ["/open": .init(text: "a", permissions: 0o644, isContainer: true)])
        #expect(bench.mistakes.isEmpty)
        #expect(bench.warnings.first?.hasPrefix("6:20: file '/open' holds a secret and can be read by every") == true)
    }
}
