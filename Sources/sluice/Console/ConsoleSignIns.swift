internal import Dispatch
internal import SluiceContract
internal import SluiceGateway
internal import SluiceIO
internal import SluiceJSON
internal import SluiceSockets
internal import Synchronization

/// Sign-ins that a person has begun in the console. The browser comes back to a port of their own, as with
/// `sluice login`; the page never sees a code.
final class ConsoleSignIns: Sendable {
    /// A sign-in that waits for the browser, or has its outcome.
    private final class Pending: Sendable {
        let name: String
        let id: String
        let server: RedirectServer
        let outcome = Mutex<ConsoleAnswer?>(nil)
        /// Left once there is an outcome.
        let isUnderWay = DispatchGroup()

        init(name: String, id: String, server: RedirectServer) {
            self.name = name
            self.id = id
            self.server = server
            isUnderWay.enter()
        }
    }

    private static let pendingMax = 8
    /// How long a person may take.
    private static let personSeconds = 300
    /// How long the page waits for one answer.
    private static let waitSeconds = 20

    private let admin: AdminClient
    private let clients: [String: OAuth2Client]
    private let pending = Mutex<[Pending]>([])

    /// - Parameter page: its credentials give the redirect addresses.
    init(_ admin: AdminClient, _ page: SluiceContract.Configuration) {
        self.admin = admin
        var clients: [String: OAuth2Client] = [:]
        for credential in page.credentials {
            if case .tokens(let client) = credential.kind.source { clients[credential.name] = client }
        }
        self.clients = clients
    }

    private struct Begun: Decodable {
        var step: String
        var id, url, state, issuer: String?
        var needsIssuer: Bool?
    }

    /// - Parameter name: as encoded in the path.
    func begin(_ name: String) throws(Problem) -> ConsoleAnswer {
        let client = clients[Self.decoded(name)]
        let server = try client.flatMap { client throws(Problem) in
            client.grant == .authorizationCode ? try redirectServer(client, for: name) : nil
        }
        let (answer, body) = try ask("/credentials/\(name)/login", [("redirect", server?.redirect)])
        let told = ConsoleAnswer(answer, body)
        guard answer.status < 400, let server,
            let begun = try? JSONReading.value(Begun.self, of: body, isSnakeCase: true), begun.step == "browser",
            let id = begun.id, let url = begun.url, let state = begun.state
        else { return told }
        let authorization = SignInAnswer.Authorization(
            url: url, state: state, issuer: begun.issuer, needsIssuer: begun.needsIssuer ?? false)
        let one = Pending(name: name, id: id, server: server)
        pending.withLock { pending in
            if pending.count >= Self.pendingMax { pending.removeFirst().server.stop() }
            pending.append(one)
        }
        ServiceThread.run("sluice-sign-in") { [self] in
            let outcome = finish(one, authorization)
            one.outcome.withLock { $0 = outcome }
            one.isUnderWay.leave()
        }
        return told
    }

    /// The port may be fixed: an earlier sign-in for the same credential gives it back.
    private func redirectServer(_ client: OAuth2Client, for name: String) throws(Problem) -> RedirectServer {
        let earlier = pending.withLock { pending in
            defer { pending.removeAll { $0.name == name } }
            return pending.filter { $0.name == name }
        }
        for one in earlier { one.server.stop() }
        do throws(StreamSocket.Failure) {
            return try RedirectServer(port: client.redirectPort, path: client.redirectPath)
        } catch {
            throw Problem(.credentialUnavailable, detail: "The browser could not come back: \(error)")
        }
    }

    /// Waits for the browser and hands its code to the daemon.
    private func finish(_ one: Pending, _ authorization: SignInAnswer.Authorization) -> ConsoleAnswer {
        do throws(Problem) {
            switch one.server.wait(for: authorization, seconds: Self.personSeconds) {
            case .code(let code, let issuer):
                var fields = [
                    ("Sluice-Code", Encoded.segment(code)), ("Sluice-State", Encoded.segment(authorization.state)),
                ]
                if let issuer { fields.append(("Sluice-Issuer", Encoded.segment(issuer))) }
                let (answer, body) = try ask(
                    "/credentials/\(one.name)/login/code", [("id", one.id)],
                    fields: fields.map { (name: $0.0, value: $0.1) })
                return ConsoleAnswer(answer, body)
            case .refused(let reason):
                throw Problem(.credentialUnavailable, detail: "Not signed in: \(reason)")
            case nil:
                throw Problem(
                    .credentialUnavailable,
                    detail: "Nobody came back from the sign-in within \(Self.personSeconds) s. Begin it again.")
            }
        } catch {
            return ConsoleAnswer(error)
        }
    }

    /// The outcome of a sign-in; `pending` where there is none after a while.
    func wait(_ name: String, query: String) throws(Problem) -> ConsoleAnswer {
        let id = query.split(separator: "&").first { $0.hasPrefix("id=") }.map { Self.decoded(String($0.dropFirst(3))) }
        guard let one = pending.withLock({ $0.first { $0.name == name && $0.id == id } }) else {
            // A sign-in at another device: the daemon waits itself.
            let (answer, body) = try ask("/credentials/\(name)/login/wait", [("id", id)])
            return ConsoleAnswer(answer, body)
        }
        guard one.isUnderWay.wait(timeout: .now() + .seconds(Self.waitSeconds)) == .success,
            let outcome = one.outcome.withLock({ $0 })
        else { return ConsoleAnswer(200, .object([("step", .string("pending"))])) }
        pending.withLock { $0.removeAll { $0 === one } }
        return outcome
    }

    private func ask(
        _ path: String, _ query: AdminClient.Query, fields: [(name: String, value: String)] = []
    ) throws(Problem) -> (LocalClient.Answer, [UInt8]) {
        do throws(StreamSocket.Failure) {
            let (answer, body) = try admin.send(path, query, by: "POST", fields: fields)
            return (answer, body)
        } catch {
            throw ConsoleConnection.problem(error)
        }
    }

    private static func decoded(_ text: String) -> String {
        Array(text.utf8).withUnsafeBytes { Encoded.decoded($0) } ?? text
    }
}
