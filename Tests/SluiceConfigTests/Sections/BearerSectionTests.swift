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
        ("{file: /open}", "6:20: file '/open' holds a secret and is open to every user → run: chmod 600 /open"),
        ("{file: /blank}", "6:20: file '/blank' is empty"),
        ("{file: /two}", "6:20: file '/two' holds a character that no token has"),
        ("{fil: a}", "6:14: unknown key 'fil' → file"), ("{s3cret: a}", "6:14: unknown key"),
    ])
    func refuses(_ bearer: String, _ mistake: String) {
        let files: [String: Bench.File] = [
            "/open": .init(text: "a", permissions: 0o644), "/blank": .init(text: " \n"),
            "/two": .init(text: "a\nb\n"),
        ]
        #expect(bench(bearer, files).mistakes.contains(mistake))
    }
}
