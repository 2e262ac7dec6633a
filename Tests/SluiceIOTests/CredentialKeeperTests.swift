import Glibc
import Logging
import SluiceContract
import SluiceSigning
import TestFiles
import Testing

@testable import SluiceGateway
@testable import SluiceIO

/// The poll is an hour away, so every change is seen by an event.
@Suite struct CredentialKeeperTests {
    private let directory: TemporaryDirectory
    private let messages = Inbox<String>()
    private let keeper: CredentialKeeper

    init() throws {
        directory = try TemporaryDirectory()
        let messages = messages
        keeper = CredentialKeeper(
            watcher: FileWatcher(pollSeconds: 3600),
            logger: Logger(label: "test") { _ in InboxLogHandler(inbox: messages) },
            .init(send: { _, _ in }, announce: {}))
    }

    private func upstream(_ source: TokenSource?, named name: String = "fruit") -> Upstream {
        var upstream = Upstream(name: name, origin: .tcp(host: "fruit.example", port: 80, tls: false))
        upstream.bearer = source
        return upstream
    }

    private func keep(_ upstreams: [Upstream], _ values: [TokenSource] = []) {
        var configuration = Configuration()
        configuration.upstreams = upstreams
        for value in values {
            configuration.upstreams[0].headers.append(HeaderSetting(name: "X-Value", .secret(value)))
        }
        // An upstream without a token of its own gets the one that a binding keeps.
        let root = PathTemplate(segments: [], hasRest: true)
        configuration.bindings = upstreams.map { upstream in
            var binding = Binding(methods: ["POST"], path: root, upstream: upstream.name, upstreamPath: root)
            binding.keep = Binding.Keep(bearer: FieldPath(components: [.key("token")]))
            return binding
        }
        keeper.keep(configuration)
    }

    /// What the next request to the upstream would send.
    private func token(_ name: String = "fruit") throws -> String? { try token(of: "bearer of \(name)") }

    private func token(of name: String) throws -> String? {
        var reader = CredentialVault.Reader(try #require(keeper.vaults[name]))
        return reader.current.map { $0.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
    }

    private var file: TokenSource { .file(directory.file("token")) }

    @Test func tokensOfTheConfiguration() throws {
        keep([upstream(.value("one")), upstream(.value("two"), named: "herb"), upstream(nil, named: "none")])
        #expect(try token("fruit") == "one")
        #expect(try token("herb") == "two")
        #expect(try token("none") == nil)
        #expect(keeper.vaults["bearer of other"] == nil)
    }

    @Test func tokensOfTheEnvironment() async throws {
        let name = "SLUICE_TEST_TOKEN_\(UInt32.random(in: 0 ... .max))"
        keep([upstream(.env(name))])
        #expect(await messages.take() == "no secret for a credential")
        #expect(try token() == nil)
        setenv(name, "one", 1)
        keep([upstream(.env(name), named: "herb")])
        #expect(try token("herb") == "one")
    }

    /// A token that an answer has brought hides the page's own only as long as a binding keeps one.
    @Test func thePagesOwnComesBack() throws {
        keep([upstream(.value("own"))])
        keeper.vaults["bearer of fruit"]?.set(CredentialVault.Secret(Array("brought".utf8)))
        keep([upstream(.value("own"))])
        #expect(try token() == "brought")
        var configuration = Configuration()
        configuration.upstreams = [upstream(.value("own"))]
        keeper.keep(configuration)
        #expect(try token() == "own")
    }

    /// A token is for whoever gave it: another host under the same name does not get it.
    @Test func aTokenStaysWithItsHost() throws {
        keep([upstream(nil)])
        keeper.vaults["bearer of fruit"]?.set(CredentialVault.Secret(Array("brought".utf8)))
        keep([upstream(nil)])
        #expect(try token() == "brought")
        var elsewhere = upstream(nil)
        elsewhere.origin = .tcp(host: "other.example", port: 80, tls: false)
        keep([elsewhere])
        #expect(try token() == nil)
    }

    /// Values that fields and parameters get, by names that no upstream has; they stay across a reload.
    @Test func otherSecretsAreKeptToo() async throws {
        let name = "SLUICE_TEST_SECRET_\(UInt32.random(in: 0 ... .max))"
        setenv(name, "one", 1)
        try directory.write("two\n", to: "token")
        keep([upstream(nil)], [.env(name), file])
        let vault = try #require(keeper.vaults["env:\(name)"])
        #expect(try token(of: "env:\(name)") == "one")
        #expect(try token(of: #require(file.vaultName)) == "two")
        keep([upstream(nil)], [.env(name)])
        #expect(keeper.vaults["env:\(name)"] === vault)
        #expect(keeper.vaults.count == 2)
        // They are no credentials.
        #expect(keeper.reports.map(\.name) == ["bearer of fruit"])
        keep([upstream(nil)], [.env(name), .env(name + "_MISSING")])
        #expect(await messages.take() == "no secret for a credential")
        #expect(try token(of: "env:\(name)_MISSING") == nil)
    }

    @Test func aFileThatChangesIsReadAnew() async throws {
        try directory.write("one\n", to: "token")
        keep([upstream(file)])
        #expect(try token() == "one")
        try directory.write("two", to: "token")
        #expect(await messages.take() == "token file re-read")
        #expect(try token() == "two")
        // Neither one that others may change nor none at all takes anything away.
        try directory.write("three", to: "token", mode: 0o660)
        #expect(await messages.take() == "token file unusable, the last token stays")
        #expect(try token() == "two")
        try directory.remove("token")
        #expect(await messages.take() == "token file unusable, the last token stays")
        #expect(try token() == "two")
        try directory.write("four", to: "token")
        #expect(await messages.take() == "token file re-read")
        #expect(try token() == "four")
    }

    @Test(arguments: [0o620, 0o602, 0o666])
    func aFileThatOthersMayChangeIsRefused(mode: Int) async throws {
        try directory.write("one", to: "token", mode: mode)
        keep([upstream(file)])
        #expect(await messages.take() == "no secret for a credential")
        #expect(try #require(keeper.vaults["bearer of fruit"]).isEmpty)
    }

    /// What an answer has put there is known to the keeper alone: a reload that changes other things keeps it.
    @Test func aVaultStaysAcrossAReload() throws {
        keep([upstream(nil), upstream(.value("one"), named: "herb")])
        let (fruit, herb) = (keeper.vaults["bearer of fruit"], keeper.vaults["bearer of herb"])
        fruit?.set(.init(Array("issued".utf8)))
        var changed = upstream(nil)
        changed.basePath = "/v2"
        keep([changed, upstream(.value("two"), named: "herb")])
        #expect(keeper.vaults["bearer of fruit"] === fruit)
        #expect(try token("fruit") == "issued")
        // Another source is another token.
        #expect(keeper.vaults["bearer of herb"] !== herb)
        #expect(try token("herb") == "two")
        keep([upstream(.value("two"), named: "herb")])
        #expect(keeper.vaults["bearer of fruit"] == nil)
        #expect(try token("herb") == "two")
    }

    private struct Named: CredentialKind {
        static let word = "named"
        var presentation: CredentialPresentation { .field(name: "Authorization", prefix: "Basic ") }
        var source: CredentialSource { .password(user: "me", .value("a-long-password")) }
    }

    /// What is sent is Base64; an upstream may say what it has read out of that.
    @Test func aPasswordIsTakenOutOfTexts() throws {
        var configuration = Configuration()
        configuration.credentials = [Credential(name: "pw", kind: Named())]
        configuration.upstreams = [upstream(nil)]
        configuration.upstreams[0].credential = .named("pw")
        let root = PathTemplate(segments: [], hasRest: true)
        configuration.bindings = [Binding(methods: ["GET"], path: root, upstream: "fruit", upstreamPath: root)]
        keeper.keep(configuration)
        #expect(try token(of: "pw") == "bWU6YS1sb25nLXBhc3N3b3Jk")
        var reader = CredentialVault.Reader(try #require(keeper.vaults["pw"]))
        let mask = reader.credentialMask()
        #expect(mask.applied(to: "me may not use a-long-password") == "me may not use ***")
    }

    /// A file is watched across a reload, and no longer once nobody wants it.
    @Test func aFileIsWatchedAcrossAReload() async throws {
        try directory.write("one", to: "token")
        keep([upstream(file)])
        keep([upstream(file)])
        try directory.write("two", to: "token")
        #expect(await messages.take() == "token file re-read")
        #expect(try token() == "two")
        let vault = keeper.vaults["bearer of fruit"]
        keep([upstream(file, named: "other")])
        try directory.write("three", to: "token")
        #expect(await messages.take() == "token file re-read")
        #expect(try token("other") == "three")
        var reader = CredentialVault.Reader(try #require(vault))
        #expect(reader.current == SecretBytes("two"))
    }
}
