import Dispatch
import Glibc
import Logging
import SluiceContract
import SluiceCredentials
import SluiceSigning
import TestFiles
import Testing

@testable import SluiceGateway
@testable import SluiceIO

/// A credential that needs nobody's agreement, and its state folder. What is sent is answered here.
@Suite struct TokenRunnerTests {
    private struct Sent: Sendable {
        var done: @Sendable (OwnAnswer) -> Void
    }

    private let directory: TemporaryDirectory
    private let messages = Inbox<String>()
    private let announced = Inbox<String>()
    private let sent = Inbox<Sent>()
    private let client: OAuth2Client
    private let tools: CredentialTools
    private let vault: CredentialVault

    init() throws {
        directory = try TemporaryDirectory()
        let messages = messages
        let announced = announced
        let sent = sent
        var client = OAuth2Client()
        client.tokenURL = "https://accounts.example/token"
        client.clientID = "cli"
        client.clientSecret = .value("secret")
        client.grant = .clientCredentials
        self.client = client
        vault = CredentialVault(of: .tokens(client))
        // The poll is an hour away, so every change is seen by an event.
        tools = CredentialTools(
            watcher: FileWatcher(pollSeconds: 3600),
            logger: Logger(label: "test") { _ in InboxLogHandler(inbox: messages) },
            .init(send: { sent.put(Sent(done: $1)) }, announce: { announced.put("changed") }))
        var configuration = Configuration()
        configuration.state = directory.file("state")
        tools.useFolder(of: configuration)
    }

    private var shown: SecretBytes? {
        var reader = CredentialVault.Reader(vault)
        return reader.current
    }

    /// It is found twice, at the start and behind the lock, and told of once.
    @Test func aDamagedFileIsReplaced() async throws {
        let folder = try #require(tools.folder)
        try folder.prepare()
        try directory.write("{\"version\":1,", to: "state/fruit.token")
        let runner = TokenRunner("fruit", client, vault, tools)
        runner.start()
        let told = "a token file is damaged; nothing is to be done, another token takes its place"
        #expect(await messages.take() == told)
        runner.take(.secret)
        let request = try #require(await sent.take())
        request.done(.body(Array(#"{"access_token":"a1","token_type":"Bearer","expires_in":600}"#.utf8)))
        while shown == nil { #expect(await announced.take() == "changed") }
        #expect(shown == SecretBytes("a1"))
        #expect(try folder.load("fruit")?.accessToken == "a1")
        #expect(await messages.take() == "token renewed")
        runner.stop()
    }

    /// A folder that was missing is made at the start, so that what others put there is seen.
    @Test func whatOthersStoreIsSeenInANewFolder() async throws {
        let runner = TokenRunner("fruit", client, vault, tools)
        runner.start()
        // The first look has been.
        tools.queue.sync {}
        let folder = try #require(tools.folder)
        #expect(access(folder.path, F_OK) == 0)
        var record = TokenRecord(family: 1, server: client.serverName, clientID: "cli")
        record.accessToken = "a1"
        try folder.save(record, of: "fruit")
        while shown == nil { #expect(await announced.take() == "changed") }
        #expect(shown == SecretBytes("a1"))
        runner.stop()
    }

    /// A page without `state:` shares the folder with every other one of its user.
    @Test func whatAnotherHasSignedInForStays() async throws {
        let folder = try #require(tools.folder)
        var other = TokenRecord(family: 1, server: "https://b.example/token", clientID: "other")
        other.refreshToken = "theirs"
        try folder.save(other, of: "fruit")
        let runner = TokenRunner("fruit", client, vault, tools)
        runner.start()
        for token in ["a1", "a2"] {
            if token == "a1" { runner.take(.secret) } else { runner.renew() }
            let request = try #require(await sent.take())
            request.done(.body(Array("{\"access_token\":\"\(token)\",\"expires_in\":600}".utf8)))
            if token == "a1" { #expect(await messages.take() == "a token is not kept, and ends with the daemon") }
            #expect(await messages.take() == "token renewed")
            #expect(shown == SecretBytes(token))
        }
        #expect(try folder.load("fruit") == other)
        runner.stop()
        let signIn = SignIn("fruit", client, folder, tools)
        let failure = #expect(throws: SignIn.Failure.self) { try signIn.renew() }
        #expect(failure?.description.contains("client 'other' at https://b.example/token") == true)
        // Nobody is sent to a browser for what could not be kept.
        #expect(throws: SignIn.Failure.self) { try signIn.authorization(redirect: "http://127.0.0.1:9/callback") }
    }

    /// A refresh token for one use is not sent while its successor could not be kept: others may change the folder, or
    /// there is no room.
    @Test(arguments: [true, false]) func whatIsForOneUseWaitsForThePlaceOfItsSuccessor(isOpen: Bool) async throws {
        var client = client
        client.grant = .refreshToken
        client.refreshToken = .value("r1")
        let folder = try #require(tools.folder)
        try folder.prepare()
        let room = folder.file(of: "fruit") + ".room"
        if isOpen { chmod(folder.path, 0o770) } else { mkdir(room, 0o700) }
        let runner = TokenRunner("fruit", client, CredentialVault(of: .tokens(client)), tools)
        runner.start()
        if isOpen { #expect(await messages.take() == "tokens cannot be kept") }
        runner.take(.secret)
        #expect(await messages.take() == "token not renewed")
        if isOpen { chmod(folder.path, 0o700) } else { rmdir(room) }
        runner.renew()
        let request = try #require(await sent.take())
        let tokens = #"{"access_token":"a1","token_type":"Bearer","expires_in":600,"refresh_token":"r2"}"#
        request.done(.body(Array(tokens.utf8)))
        // On a slow machine it was tried more than once.
        while let message = await messages.take(), message != "token renewed" {
            #expect(message == "token not renewed")
        }
        #expect(try folder.load("fruit")?.refreshToken == "r2")
        #expect(access(room, F_OK) != 0)
        runner.stop()
    }

    /// What an answer brings that takes its time is all that is left of a refresh token: who ends waits for it.
    @Test func anAnswerThatIsLateIsWaitedFor() async throws {
        var client = client
        client.grant = .refreshToken
        client.refreshToken = .value("r1")
        client.timeout = .milliseconds(1)
        let vault = CredentialVault(of: .tokens(client))
        let runner = TokenRunner("fruit", client, vault, tools)
        runner.start()
        runner.take(.secret)
        let request = try #require(await sent.take())
        #expect(await messages.take() == "token not renewed")
        runner.end()
        runner.stop()
        #expect(runner.isBusy)
        let tokens = #"{"access_token":"a1","token_type":"Bearer","expires_in":600,"refresh_token":"r2"}"#
        request.done(.body(Array(tokens.utf8)))
        #expect(await messages.take() == "token renewed")
        #expect(!runner.isBusy)
        let kept = try #require(try tools.folder?.load("fruit"))
        #expect(kept.refreshToken == "r2" && kept.spent == [TokenRecord.digest(of: "r1")])
    }
}
