import Glibc
import Logging
import SluiceContract
import SluiceCredentials
import SluiceSigning
import SluiceSockets
import TestFiles
import Testing

@testable import SluiceGateway
@testable import SluiceIO

/// `sluice login` with a refresh token for one use: what is sent is answered here, and what is stored is all that is
/// left of it.
@Suite struct SignInKeepingTests {
    private struct Sent: Sendable {
        var form: String
        var done: @Sendable (OwnAnswer) -> Void
    }

    private static let key = [UInt8](repeating: 7, count: 32)

    private let directory: TemporaryDirectory
    private let sent = Inbox<Sent>()
    private let outcome = Inbox<String>()
    private let client: OAuth2Client
    private let tools: CredentialTools
    private let folder: StateFolder
    private let signIn: SignIn

    init() throws {
        directory = try TemporaryDirectory()
        let sent = sent
        var client = OAuth2Client()
        client.tokenURL = "https://accounts.example/token"
        client.clientID = "cli"
        client.clientSecret = .value("secret")
        client.grant = .refreshToken
        client.refreshToken = .value("r0")
        self.client = client
        tools = CredentialTools(
            watcher: FileWatcher(pollSeconds: 3600),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            .init(
                send: { request, done in
                    sent.put(Sent(form: String(decoding: request.body ?? [], as: UTF8.self), done: done))
                }, announce: {}))
        folder = try StateFolder(directory.file("state"), key: Self.key)
        signIn = SignIn("fruit", client, folder, tools)
    }

    /// What an exchange of the configured token has left.
    private var stored: TokenRecord {
        var record = TokenRecord(family: 1, server: client.serverName, clientID: "cli")
        record.accessToken = "a1"
        record.refreshToken = "r1"
        record.spent = [TokenRecord.digest(of: "r0")]
        return record
    }

    private func unsealed() throws -> StateFolder { try StateFolder(folder.path) }

    /// Its refresh token is the one that is used, and its successor is sealed.
    @Test func aRecordFromBeforeTheKeyIsRenewed() async throws {
        try unsealed().save(stored, of: "fruit")
        ServiceThread.run("sign-in") { [outcome, signIn] in
            outcome.put((try? signIn.renew())?.refreshToken ?? "none")
        }
        let request = try #require(await sent.take())
        #expect(request.form.contains("refresh_token=r1"))
        #expect(tools.exchanges.isBusy)
        let tokens = #"{"access_token":"a2","token_type":"Bearer","expires_in":600,"refresh_token":"r2"}"#
        request.done(.body(Array(tokens.utf8)))
        #expect(await outcome.take() == "r2")
        #expect(!tools.exchanges.isBusy)
        let kept = try #require(try folder.load("fruit"))
        #expect(kept.refreshToken == "r2" && kept.serial == 2 && kept.spent == stored.spent)
    }

    enum Obstacle: String, CaseIterable, Sendable {
        case openToOthers = "is open to others"
        case damaged = "is damaged"
        case anotherKey = "is sealed with another key"
        case anotherClient = "has signed in for"
        case noRoom = "cannot be written"
        case spent = "has been used already"
        case ending = "the daemon is ending"
    }

    /// The only sign-in that is left would be lost.
    @Test(arguments: Obstacle.allCases) func nothingIsSentThatCouldNotBeKept(_ obstacle: Obstacle) throws {
        try unsealed().save(stored, of: "fruit")
        let file = folder.file(of: "fruit")
        switch obstacle {
        case .openToOthers: chmod(file, 0o640)
        case .damaged: try directory.write("{\"version\":1,", to: "state/fruit.token")
        case .anotherKey:
            unlink(file)
            try StateFolder(folder.path, key: [UInt8](1...32)).save(stored, of: "fruit")
        case .anotherClient:
            unlink(file)
            var record = stored
            record.clientID = "other"
            try unsealed().save(record, of: "fruit")
        case .noRoom: mkdir(file + ".room", 0o700)
        case .spent:
            var record = stored
            record.signedOut = "revoked"
            try unsealed().save(record, of: "fruit")
        case .ending: tools.exchanges.refuse()
        }
        let failure = #expect(throws: SignIn.Failure.self) { try signIn.renew() }
        #expect(failure?.description.contains(obstacle.rawValue) == true)
    }

    /// Nor is a code redeemed, or a person asked to agree.
    @Test func aCodeIsRedeemedWhereThereIsRoom() throws {
        try folder.prepare()
        mkdir(folder.file(of: "fruit") + ".room", 0o700)
        #expect(throws: SignIn.Failure.self) { try signIn.authorization(redirect: "http://127.0.0.1:9/callback") }
        let begun = SignIn.Authorization(
            shown: .init(url: "https://accounts.example", state: "s", issuer: nil, needsIssuer: false),
            redirect: "http://127.0.0.1:9/callback", verifier: SecretText("v"))
        #expect(throws: SignIn.Failure.self) { try signIn.redeem("code", begun) }
    }
}
