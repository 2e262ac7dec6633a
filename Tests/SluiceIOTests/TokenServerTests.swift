import Logging
import SluiceContract
import SluiceCredentials
import SluiceGateway
import Testing

@testable import SluiceIO

/// What an authorization server is asked, and when no more. What is sent is answered here.
@Suite struct TokenServerTests {
    private struct Sent: Sendable {
        var request: OwnRequest
        var done: @Sendable (OwnAnswer) -> Void

        var form: String { String(decoding: request.body ?? [], as: UTF8.self) }
    }

    private let sent = Inbox<Sent>()
    private let answers = Inbox<TokenAnswer>()

    private func server(_ edit: (inout OAuth2Client) -> Void = { _ in }) -> TokenServer {
        var client = OAuth2Client()
        client.issuer = "https://accounts.example"
        client.clientID = "cli"
        client.clientSecret = .value("a secret+more")
        client.timeout = .seconds(9)
        edit(&client)
        let tools = CredentialTools(
            watcher: FileWatcher(pollSeconds: 3600), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            .init(send: { [sent] in sent.put(Sent(request: $0, done: $1)) }, announce: {}))
        return TokenServer(client, tools)
    }

    private static let metadata = Array(
        #"{"issuer":"https://accounts.example","token_endpoint":"https://accounts.example/token"}"#.utf8)

    /// Another daemon may have the lock by the time that the metadata are there, and use the same refresh token.
    @Test func whatWasGivenUpMeanwhileIsNotSent() async throws {
        let server = server()
        let answers = answers
        server.ask(.refresh("r1"), while: { false }) { answers.put($0) }
        let metadata = try #require(await sent.take())
        #expect(metadata.request.method == "GET")
        metadata.done(.body(Self.metadata))
        let answer = try #require(await answers.take())
        #expect(
            answer
                == .unavailable(
                    "the time for an answer was over before the request for tokens", retryAfterSeconds: nil))
        // What was found out is good for the next one.
        server.ask(.refresh("r2")) { answers.put($0) }
        let tokens = try #require(await sent.take())
        #expect(tokens.request.method == "POST" && tokens.form.contains("refresh_token=r2"))
        tokens.done(.body(Array(#"{"access_token":"a2"}"#.utf8)))
        #expect(await answers.take() == .tokens(.init("a2")))
    }

    /// The secret alone, as Base64 of what was sent, and as a form writes it.
    @Test(arguments: ["a secret+more", "Y2xpOmErc2VjcmV0JTJCbW9yZQ==", "a+secret%2Bmore", "YSBzZWNyZXQrbW9yZQ"])
    func whatAServerEchoesIsMaskedInAGoodAnswer(echo: String) async throws {
        let server = server { ($0.tokenURL, $0.issuer, $0.grant) = ("https://a.example/t", nil, .clientCredentials) }
        let answers = answers
        server.ask(.own) { answers.put($0) }
        let tokens = try #require(await sent.take())
        tokens.done(.body(Array(#"{"error":"no","error_description":"bad: \#(echo)."}"#.utf8)))
        guard case .refused("no", let description?)? = await answers.take() else {
            Issue.record("it was not refused")
            return
        }
        #expect(description.hasPrefix("bad: ***") && !description.contains(echo.prefix(6)))
    }

    /// A server may take its time, and what comes too late is known to the next question.
    @Test func bothPlacesOfMetadataHaveTheTimeOfAnAnswer() async throws {
        let server = server()
        let answers = answers
        server.ask(.refresh("r1")) { answers.put($0) }
        for _ in 0..<2 {
            let metadata = try #require(await sent.take())
            #expect(metadata.request.upstream.timeout.total == .seconds(9))
            #expect(metadata.request.upstream.timeout.firstByte == .seconds(9))
            metadata.done(.problem(Problem(.internalError, detail: "Nobody is there.")))
        }
        let answer = try #require(await answers.take())
        #expect(
            answer == .unavailable("its metadata cannot be read: Nobody is there.", retryAfterSeconds: nil))
    }
}
