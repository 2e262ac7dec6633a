internal import Dispatch
public import Logging
public import SluiceContract
public import SluiceCredentials
public import SluiceGateway
internal import SluiceSigning
internal import SluiceSockets
internal import Synchronization

/// Signs a person in or out for one credential: run by the daemon, or by a command where no daemon runs. Its calls
/// block until the server answers. Daemons that share the state folder learn of changes through it.
public final class SignIn: Sendable {
    /// Why the sign-in failed, in words for people.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        public var description: String
    }

    private let name: String
    private let client: OAuth2Client
    private let folder: StateFolder
    private let server: TokenServer
    private let tools: CredentialTools
    /// A command's own server: one loop, which listens nowhere.
    private let loops: Server?

    /// For a command.
    public convenience init(
        _ name: String, _ client: OAuth2Client, _ configuration: Configuration, logger: Logger
    ) throws(Failure) {
        do {
            guard let folder = try StateFolder(of: configuration) else { throw Self.noFolder }
            var own = Configuration()
            own.listen = []
            own.loops = 1
            let loops = Server(try RouteTable(own), logger: logger)
            try loops.start()
            let tools = CredentialTools(watcher: FileWatcher(), logger: logger, loops.surroundings)
            self.init(name, client, folder, tools, loops: loops)
        } catch {
            throw Failure(description: "\(error)")
        }
    }

    init(_ name: String, _ client: OAuth2Client, _ folder: StateFolder, _ tools: CredentialTools, loops: Server? = nil)
    {
        self.name = name
        self.client = client
        self.folder = folder
        self.tools = tools
        self.loops = loops
        server = TokenServer(client, tools)
    }

    static let noFolder = Failure(description: "there is no folder for tokens; name one with 'state:'")

    // MARK: - In a browser

    /// The URL that a person opens, the expected redirect, and the secrets that stay here.
    public struct Authorization: Sendable {
        public var shown: SignInAnswer.Authorization
        var redirect: String
        var verifier: SecretText
    }

    public func authorization(redirect: String) throws(Failure) -> Authorization {
        try makeRoom()
        let metadata = try metadata()
        guard let endpoint = metadata.authorizeURL else {
            throw Failure(description: "the server names no authorization endpoint; set 'authorize-url:'")
        }
        let pkce = PKCE()
        let state = SecureRandom.text(bytes: 32)
        let url = client.authorizationURL(endpoint, challenge: pkce.challenge, state: state, redirect: redirect)
        return Authorization(
            shown: .init(url: url, state: state, issuer: client.issuer, needsIssuer: metadata.namesIssuer),
            redirect: redirect, verifier: SecretText(pkce.verifier))
    }

    /// Exchanges the code that came back.
    public func redeem(_ code: String, _ authorization: Authorization) throws(Failure) -> TokenRecord {
        let question = TokenQuestion.code(
            code, verifier: authorization.verifier.text, redirect: authorization.redirect)
        return try exchange { () throws(Failure) -> TokenRecord in
            try keep(try tokens(question), question)
        }
    }

    // MARK: - On another device

    public func deviceCode() throws(Failure) -> DeviceCode {
        try makeRoom()
        guard let endpoint = try metadata().deviceURL else {
            throw Failure(description: "the server names no device authorization endpoint; set 'device-url:'")
        }
        let request = try made { () throws(RequestFault) in
            try client.deviceRequest(at: endpoint, server.secrets(), tools.moment)
        }
        let json = try body(of: request)
        guard let code = DeviceCode(json: json) else {
            throw Failure(description: "the answer of \(endpoint.site) has no device_code with an address to open")
        }
        return code
    }

    /// Asks about a device code until the person has agreed, or it has ended.
    /// - Parameter isWanted: asked before each request to the server; false ends the sign-in, because no client waits.
    public func agree(on code: DeviceCode, isWanted: () -> Bool = { true }) throws(Failure) -> TokenRecord {
        let deadline = MonotonicClock.now() &+ UInt64(code.lifetime) * 1_000_000_000
        var interval = code.interval
        var obstacle: Failure?
        while MonotonicClock.now() < deadline {
            ServiceThread.sleep(.seconds(interval))
            guard isWanted() else { throw Failure(description: "nobody waits for the sign-in any more") }
            switch try ask(about: code) {
            case .pending: break
            // RFC 8628 §3.5.
            case .slower: interval += 5
            case .obstructed(let failure): obstacle = failure
            case .signedIn(let record): return record
            }
        }
        throw obstacle ?? Failure(description: "the code is too old; run this again")
    }

    /// State of a device code (RFC 8628 §3.5).
    private enum DeviceAnswer: Sendable {
        case pending
        /// The server wants to be asked less often.
        case slower
        /// The server was not asked, because its tokens could not be stored now.
        case obstructed(Failure)
        case signedIn(TokenRecord)
    }

    /// Each answer may be the one that brings the tokens.
    private func ask(about code: DeviceCode) throws(Failure) -> DeviceAnswer {
        try begin()
        defer { tools.exchanges.end() }
        let lock: StateLock
        do throws(Failure) { lock = try lockWithRoom() } catch { return .obstructed(error) }
        defer { withExtendedLifetime(lock) {} }
        switch answer(to: .device(code.deviceCode)) {
        case .refused("authorization_pending", _): return .pending
        case .refused("slow_down", _), .unavailable: return .slower
        case .refused("access_denied", _): throw Failure(description: "the sign-in was refused")
        case .refused("expired_token", _): throw Failure(description: "the code is too old; run this again")
        case .refused(let code, let text): throw Self.refused(code, text)
        case .tokens(let tokens): return .signedIn(try keep(tokens, .device(code.deviceCode)))
        }
    }

    // MARK: - Without a person

    /// Gets a token by the page's grant, to check that it works.
    public func renew() throws(Failure) -> TokenRecord {
        try exchange { () throws(Failure) -> TokenRecord in
            let kept = try found()
            let record = kept.flatMap { $0.belongs(to: client) && $0.signedOut == nil ? $0 : nil }
            guard let question = TokenQuestion(client, record) else {
                throw Failure(description: "nobody has signed in for '\(name)' yet; run: sluice login \(name)")
            }
            let given = question == .configuredRefresh ? server.givenDigest : nil
            if let given, kept?.spent.contains(given) == true {
                throw Failure(
                    description:
                        "the refresh token of 'refresh-token:' has been used already; put a new one in its place")
            }
            return try keep(try tokens(question), question, given: given)
        }
    }

    /// What is stored, whoever's it is. A record from before there was a key to seal it with counts, too: a person asks
    /// for its renewal, and the new one is sealed.
    private func found() throws(Failure) -> TokenRecord? {
        do throws(StateFault) {
            return try folder.load(name, mayBeUnsealed: true)
        } catch {
            // Where the configuration alone brings another token, nothing is lost. Else this may be all that is left
            // of a refresh token for one use.
            if TokenQuestion(client, nil) == .own { return nil }
            throw Failure(description: "\(error)")
        }
    }

    /// Where tokens are kept.
    public var folderPath: String { folder.path }

    // MARK: - Out

    /// Gives the tokens back and forgets them.
    /// - Returns: what the server was told; nil where there was nothing to forget.
    public func signOut() throws(Failure) -> String? {
        // A renewal in progress brings tokens that have to be revoked, too.
        let lock = try lock()
        defer { withExtendedLifetime(lock) {} }
        guard let record = try stored() else { return nil }
        var told = "the server has no address for giving tokens back"
        let found = Result { () throws(Failure) in try metadata(revokes: true) }
        if case .failure(let failure) = found { told = "not given back: \(failure.description)" }
        if case .success(let metadata) = found, let endpoint = metadata.revokeURL {
            told = "given back to \(endpoint.site)"
            for (token, hint) in [(record.refreshToken, "refresh_token"), (record.accessToken, "access_token")] {
                guard let token else { continue }
                let request = try made { () throws(RequestFault) in
                    try client.revocation(of: token, hint: hint, at: endpoint, server.secrets(), tools.moment)
                }
                if case .problem(let problem) = wait({ server.send(request, wantsJSON: false, $0) }) {
                    told = "not given back: \(problem.detail)"
                }
            }
        }
        do throws(StateFault) { try folder.remove(name) } catch { throw Failure(description: "\(error)") }
        return told
    }

    /// What is known of it now.
    public func stored() throws(Failure) -> TokenRecord? {
        do throws(StateFault) {
            let record = try folder.load(name)
            return record.flatMap { $0.belongs(to: client) ? $0 : nil }
        } catch {
            throw Failure(description: "\(error)")
        }
    }

    // MARK: - The server

    private func tokens(_ question: TokenQuestion) throws(Failure) -> TokenAnswer.Tokens {
        switch answer(to: question) {
        case .tokens(let tokens): return tokens
        case .refused(let code, let text): throw Self.refused(code, text)
        case .unavailable(let reason, _): throw Failure(description: reason)
        }
    }

    private static func refused(_ code: String, _ text: String?) -> Failure {
        Failure(description: "the server refuses (\(code))" + (text.map { ": \($0)" } ?? ""))
    }

    private func answer(to question: TokenQuestion) -> TokenAnswer {
        wait { server.ask(question, $0) }
    }

    /// Runs an exchange for tokens that must not be lost: with room for them, with the lock, which keeps others from
    /// asking meanwhile, and waited for by a daemon that ends.
    private func exchange<Value>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        try begin()
        defer { tools.exchanges.end() }
        let lock = try lockWithRoom()
        defer { withExtendedLifetime(lock) {} }
        return try body()
    }

    private func begin() throws(Failure) {
        if !tools.exchanges.begin() { throw Failure(description: "the daemon is ending") }
    }

    private func lockWithRoom() throws(Failure) -> StateLock {
        let lock = try lock()
        do throws(StateFault) {
            try folder.makeRoom(for: client, of: name)
            try folder.makeRoom(of: name)
        } catch {
            throw Failure(description: "\(error)")
        }
        return lock
    }

    private func keep(
        _ tokens: TokenAnswer.Tokens, _ question: TokenQuestion, given: String? = nil
    ) throws(Failure) -> TokenRecord {
        do throws(StateFault) {
            // A damaged record is replaced by the new sign-in's.
            let before = (try? folder.load(name, mayBeUnsealed: true)) ?? nil
            let own = before.flatMap { $0.isForeign(to: client) ? nil : $0 }
            let record = TokenRecord(
                tokens, after: own, question, client, at: tools.moment, given: given)
            try folder.save(record, of: name)
            return record
        } catch {
            throw Failure(description: "\(error)")
        }
    }

    /// Makes sure that tokens can be kept before the person is asked to agree. A renewal that holds the lock is not
    /// waited for: the exchange looks again.
    private func makeRoom() throws(Failure) {
        do throws(StateFault) {
            try folder.makeRoom(for: client, of: name)
            let lock = try folder.lock(name)
            defer { withExtendedLifetime(lock) {} }
            if lock != nil { try folder.makeRoom(of: name) }
        } catch {
            throw Failure(description: "\(error)")
        }
    }

    private func lock() throws(Failure) -> StateLock {
        do throws(StateFault) {
            let deadline = MonotonicClock.now() &+ StateFolder.lockWait.nanosecondsClamped
            while MonotonicClock.now() < deadline {
                if let lock = try folder.lock(name) { return lock }
                ServiceThread.sleep(.milliseconds(50))
            }
        } catch {
            throw Failure(description: "\(error)")
        }
        throw Failure(description: "another process has held the lock of '\(name)' for too long")
    }

    private func metadata(revokes: Bool = false) throws(Failure) -> ServerMetadata {
        switch wait({ server.findMetadata(revokes: revokes, $0) }) {
        case .success(let metadata): return metadata
        case .failure(let fault): throw Failure(description: fault.description)
        }
    }

    private func body(of request: ServerRequest) throws(Failure) -> [UInt8] {
        switch wait({ server.send(request, $0) }) {
        case .body(let json): return json
        case .problem(let problem): throw Failure(description: problem.detail)
        }
    }

    private func made(_ make: () throws(RequestFault) -> ServerRequest) throws(Failure) -> ServerRequest {
        do throws(RequestFault) { return try make() } catch { throw Failure(description: error.description) }
    }

    private func wait<Value: Sendable>(_ begin: (@escaping @Sendable (Value) -> Void) -> Void) -> Value {
        let isThere = DispatchSemaphore(value: 0)
        let box = AnswerBox<Value>()
        begin { value in
            box.set(value)
            isThere.signal()
        }
        isThere.wait()
        guard let value = box.value else { preconditionFailure("an answer without a value") }
        return value
    }
}

/// Hands a value from the answering thread to the waiting one.
private final class AnswerBox<Value: Sendable>: Sendable {
    private let held = Mutex<Value?>(nil)
    var value: Value? { held.withLock { $0 } }
    func set(_ value: Value) { held.withLock { $0 = value } }
}
