import Foundation

/// An authorization server, and all that a daemon needs to be its client: page, state folder and admin socket.
final class CredentialBench: Sendable {
    /// A secret that the server does not accept, in the page itself.
    static let strangersSecret = "client-secret-of-a-stranger"

    let server: AuthorizationServer
    let folder: TemporaryFolder
    /// Further lines of the page.
    private let more: String
    private let namesState: Bool

    /// - Parameters:
    ///   - life: of access tokens, in seconds.
    ///   - more: further lines of the page.
    ///   - namesState: whether the page says where tokens are kept.
    init(life: Int, more: String = "", namesState: Bool = true) throws {
        self.namesState = namesState
        server = try AuthorizationServer(life: life)
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.file("state"), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        try folder.write(AuthorizationServer.secret, to: "secret")
        self.more = more
    }

    func end() { server.end() }

    /// - Parameter name: of the daemon, where there are several.
    func page(_ name: String = "one") -> String {
        """
        admin: \(folder.file(name + ".sock"))
        \(namesState ? "state: " + folder.file("state") : "")
        \(more)
        credentials:
          person: {oauth2: {issuer: "\(server.url)", client-id: person, scope: [read]}}
          device: {oauth2: {issuer: "\(server.url)", client-id: device, grant: device-code}}
          bot:
            oauth2:
              token-url: \(server.url)/token
              client-id: bot
              client-secret: {file: \(folder.file("secret"))}
              grant: client-credentials
          stranger:
            oauth2:
              token-url: \(server.url)/token
              client-id: bot
              client-secret: {value: \(Self.strangersSecret)}
              grant: client-credentials
        upstreams:
          stranger: {url: "\(server.url)", credential: stranger}
          person: {url: "\(server.url)", credential: person}
          bot: {url: "\(server.url)", credential: bot}
          device: {url: "\(server.url)", credential: device}
        bindings:
          GET /me: {to: person /me}
          POST /me: {to: person /me}
          GET /bot: {to: bot /me}
          GET /stranger: {to: stranger /me}
          GET /device: {to: device /me}
          GET /kept: {to: person /me, cache: {fresh: 1h}}

        """
    }

    func daemon(_ name: String = "one", environment: [String: String] = [:]) throws -> Daemon {
        try Daemon(page(name), environment: environment)
    }

    /// Signs in as a person does, with a browser that agrees at once.
    /// - Parameter tampering: what is sent to the place that the browser comes back to before the right answer.
    /// - Returns: the command, which has ended.
    @discardableResult
    func signIn(
        _ file: String, environment: [String: String] = [:], tampering: (URLComponents) throws -> Void = { _ in }
    ) throws -> ChildProcess {
        try Self.signIn("person", at: server, file, environment: environment, tampering: tampering)
    }

    @discardableResult
    static func signIn(
        _ name: String, at server: AuthorizationServer, _ file: String, environment: [String: String] = [:],
        tampering: (URLComponents) throws -> Void = { _ in }
    ) throws -> ChildProcess {
        let login = try ChildProcess(
            [Daemon.binary, "login", name, "--no-browser", "--config", file], environment: environment)
        let address = try Poll.until("an address is printed") {
            if let status = login.exitStatus { throw HarnessError("login ended with \(status): \(login.errors)") }
            return login.errors.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
                .first { $0.hasPrefix(server.url + "/authorize?") }
        }
        let agreed = try get(URLComponents(string: address))
        guard let back = agreed["Location"].flatMap({ URLComponents(string: $0) }) else {
            throw HarnessError("no redirect but \(agreed.status): \(agreed.text)")
        }
        try tampering(back)
        let end = try get(back)
        guard end.status == 200, try login.waitForExit() == 0 else {
            throw HarnessError("not signed in: \(end.status) \(login.errors)")
        }
        return login
    }

    /// Signs in with a code for another device.
    /// - Parameter meanwhile: what happens before the person says anything.
    func signInOnDevice(
        _ file: String, denies: Bool = false, meanwhile: () throws -> Void = {}
    ) throws -> ChildProcess {
        try Self.signInOnDevice("device", at: server, file, denies: denies, meanwhile: meanwhile)
    }

    static func signInOnDevice(
        _ name: String, at server: AuthorizationServer, _ file: String, denies: Bool = false,
        meanwhile: () throws -> Void = {}
    ) throws -> ChildProcess {
        let login = try ChildProcess([Daemon.binary, "login", name, "--config", file])
        let code = try Poll.until("a code is printed") {
            if let status = login.exitStatus { throw HarnessError("login ended with \(status): \(login.errors)") }
            return login.errors.firstRange(of: "enter the code  ").map {
                String(login.errors[$0.upperBound...].prefix(9))
            }
        }
        try meanwhile()
        _ = try HTTPClient(port: server.port).get("/device?user_code=\(code)\(denies ? "&deny=1" : "")")
        _ = try login.waitForExit()
        return login
    }

    /// What a browser gets at an address.
    static func get(_ address: URLComponents?) throws -> HTTPResponse {
        guard let address, let port = address.port.flatMap({ UInt16(exactly: $0) }) else {
            throw HarnessError("no address")
        }
        return try HTTPClient(port: port).get("\(address.percentEncodedPath)?\(address.percentEncodedQuery ?? "")")
    }

    /// One line of `sluice credentials --json`.
    struct Listed: Decodable {
        var name, kind, state: String
        var expiresAt: Int?
        var lastError: String?
    }

    func list(_ file: String) throws -> (entries: [String: Listed], text: String) {
        struct Answer: Decodable { var credentials: [Listed] }
        let listing = try Daemon.run("credentials", "--json", "--config", file)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let answer = try decoder.decode(Answer.self, from: Data(listing.output.utf8))
        return (Dictionary(uniqueKeysWithValues: answer.credentials.map { ($0.name, $0) }), listing.output)
    }
}
