import Foundation

/// An authorization server on `authlib`, and an API at `/me` that takes its tokens.
///
/// Its clients: `person` signs in and has refresh tokens; `device` does so
/// with a code; `bot` has the secret ``secret``; `signer` signs with a key; `asserter` signs assertions of `somebody`;
/// `exchanger` has a token of somebody's, and the same secret as `bot`.
final class AuthorizationServer: Sendable {
    static let secret = "client-secret-of-bot"

    let port: UInt16
    private let process: ChildProcess

    /// - Parameters:
    ///   - life: of access tokens, in seconds.
    ///   - key: a PEM file that verifies what `signer` signs.
    init(life: Int, key: String? = nil) throws {
        port = try LoopbackAddress.freePort()
        let arguments = [String(port), String(life)] + (key.map { [$0] } ?? [])
        process = try ChildProcess([try Peers.authorizationServer(), "-c", Self.script] + arguments)
        try process.waitUntilListening(on: port)
    }

    func end() { process.end() }

    var url: String { "http://127.0.0.1:\(port)" }

    /// What has been asked for so far.
    struct Counts: Decodable {
        /// Requests for tokens that were processed, and those that came.
        var tokenRequests, begun: Int
        /// Exchanges of refresh tokens, and how many of them were of one that was exchanged before.
        var refreshes, repeats: Int
        /// Families that were revoked because of a reuse.
        var revoked: Int
        /// Requests to the API without a token that is good.
        var refused: Int
        /// The number of the newest token.
        var serial: Int
        /// Questions about a device code that were answered with `authorization_pending` and `slow_down`, and those
        /// that came sooner than they should.
        var pending, slowed, hurried: Int
    }

    func counts() throws -> Counts {
        try JSONDecoder().decode(Counts.self, from: Data(HTTPClient(port: port).get("/stats").body))
    }

    /// Every token, code, state, verifier and assertion that went to or fro.
    func secrets() throws -> [String] {
        try JSONDecoder().decode([String].self, from: Data(HTTPClient(port: port).get("/secrets").body))
    }

    /// All access tokens of now are good no more.
    func forgetAccessTokens() throws { try control("forget=1") }

    /// Processes the next request for tokens, and closes the connection in place of an answer.
    func loseNextAnswer() throws { try control("lose=1") }

    /// Answers the next question about a device code with `slow_down`.
    func slowDown() throws { try control("slow=1") }

    /// Takes so long before it processes a request for tokens, and again before it answers.
    func pause(milliseconds: Int) throws { try control("pause=\(milliseconds)") }

    private func control(_ words: String) throws {
        let answer = try HTTPClient(port: port).request("POST", "/control?\(words)", body: "")
        guard answer.status == 200 else { throw HarnessError("/control?\(words): \(answer.status)") }
    }

    /// The answer of the API, read.
    struct Me: Decodable {
        var name: String
        /// The number of the token that the request had.
        var serial: Int
        /// The body of the request.
        var echo: String

        init(_ response: HTTPResponse) throws {
            guard response.status == 200 else { throw HarnessError("\(response.status): \(response.text)") }
            self = try JSONDecoder().decode(Self.self, from: Data(response.body))
        }
    }
}
