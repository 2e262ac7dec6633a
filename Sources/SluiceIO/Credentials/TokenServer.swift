internal import Dispatch
internal import SluiceContract
internal import SluiceCredentials
internal import SluiceFiles
internal import SluiceGateway
internal import SluiceSockets
internal import Synchronization

/// Requests to one authorization server: its metadata, its endpoints, and the client's authentication.
final class TokenServer: Sendable {
    private let client: OAuth2Client
    private let tools: CredentialTools
    private let known = Mutex<(metadata: ServerMetadata, until: UInt64)?>(nil)
    /// The nonce that the server wants in proofs (RFC 9449 §8).
    private let nonce = Mutex<String?>(nil)
    private let owner = UInt64.random(in: .min ... .max)
    /// Servers move their endpoints rarely.
    private static let metadataNanoseconds: UInt64 = 3_600_000_000_000

    init(_ client: OAuth2Client, _ tools: CredentialTools) {
        self.client = client
        self.tools = tools
    }

    /// A question, and the callbacks that wait for its answer.
    private struct Asked: Sendable {
        var question: TokenQuestion
        var isWanted: @Sendable () -> Bool
        var done: @Sendable (TokenAnswer) -> Void

        func fail(_ reason: String) { done(.unavailable(reason, retryAfterSeconds: nil)) }
    }

    /// Asks for tokens.
    /// - Parameter isWanted: asked on the queue before each request for tokens. A caller that has given the question up
    ///   releases the lock, and another process may use the same refresh token then.
    func ask(
        _ question: TokenQuestion, while isWanted: @escaping @Sendable () -> Bool = { true },
        _ done: @escaping @Sendable (TokenAnswer) -> Void
    ) {
        let asked = Asked(question: question, isWanted: isWanted, done: done)
        findMetadata { [self] result in
            switch result {
            case .failure(let fault): asked.fail(fault.description)
            case .success(let metadata): begin(asked, metadata, mayRepeat: client.proofKey != nil)
            }
        }
    }

    /// - Parameter mayRepeat: whether the server may still ask for a nonce (RFC 9449 §8).
    private func begin(_ asked: Asked, _ metadata: ServerMetadata, mayRepeat: Bool) {
        // Questions are given up on the queue as well, so that none goes out after that.
        tools.queue.async { [self] in
            if asked.isWanted() {
                ask(asked, metadata, mayRepeat: mayRepeat)
            } else {
                asked.fail("the time for an answer was over before the request for tokens")
            }
        }
    }

    private func ask(_ asked: Asked, _ metadata: ServerMetadata, mayRepeat: Bool) {
        do throws(RequestFault) {
            var request = try client.tokenRequest(
                asked.question, at: metadata.tokenURL, secrets(), tools.moment, nonce: nonce.withLock { $0 })
            request.timeout = client.patience
            let secrets = request.secrets
            send(request) { [self] answer in
                if client.proofKey != nil, note(answer), mayRepeat {
                    return begin(asked, metadata, mayRepeat: false)
                }
                asked.done(TokenAnswer(answer, isBound: client.proofKey != nil, secrets))
            }
        } catch {
            asked.fail("\(error)")
        }
    }

    /// Keeps the nonce that came with a refusal.
    /// - Returns: whether the server wants nothing else.
    private func note(_ answer: OwnAnswer) -> Bool {
        guard case .problem(let problem) = answer,
            let text = problem.fields.first(where: { $0.name == OwnRequest.nonceField })?.value
        else { return false }
        nonce.withLock { $0 = text }
        return problem.upstreamCode == "use_dpop_nonce"
    }

    // MARK: - Metadata

    /// - Parameter revokes: whether the address is needed where tokens are given back.
    func findMetadata(
        revokes: Bool = false, _ done: @escaping @Sendable (Result<ServerMetadata, RequestFault>) -> Void
    ) {
        if let metadata = ServerMetadata(client), metadata.isEnough(for: client),
            !revokes || client.issuer == nil || metadata.revokeURL != nil
        {
            return done(.success(metadata))
        }
        if let known = known.withLock({ $0 }), MonotonicClock.now() < known.until {
            return done(.success(known.metadata))
        }
        // Each request has its own timeout: an answer that is too late for this question serves the next one.
        find(client.metadataRequests()[...], done)
    }

    private func find(
        _ requests: ArraySlice<ServerRequest>,
        _ done: @escaping @Sendable (Result<ServerMetadata, RequestFault>) -> Void
    ) {
        guard let request = requests.first else { return done(.failure(RequestFault("the issuer is no URL"))) }
        send(request) { [self] answer in
            switch answer {
            case .problem(let problem):
                // One of the two places is enough.
                if requests.count > 1 { return find(requests.dropFirst(), done) }
                done(.failure(RequestFault("its metadata cannot be read: \(problem.detail)")))
            case .body(let json):
                do throws(RequestFault) {
                    let metadata = try ServerMetadata(json: json, for: client)
                    known.withLock { $0 = (metadata, MonotonicClock.now() &+ Self.metadataNanoseconds) }
                    done(.success(metadata))
                } catch {
                    done(.failure(error))
                }
            }
        }
    }

    // MARK: - Requests

    /// Digest of the page's refresh token, where the first request uses that one.
    var givenDigest: String? {
        guard client.grant == .refreshToken, let source = client.refreshToken, let token = try? tools.secret(source)
        else { return nil }
        return TokenRecord.digest(of: token)
    }

    func secrets() -> ClientSecrets {
        var secrets = ClientSecrets()
        func read<Value>(_ key: String, _ body: () throws(TokenFileError) -> Value?) -> Value? {
            do throws(TokenFileError) { return try body() } catch {
                secrets.faults[key] = "\(error)"
                return nil
            }
        }
        func text(_ key: String, _ source: TokenSource?) -> String? {
            read(key) { () throws(TokenFileError) in
                try source.map { source throws(TokenFileError) in try tools.secret(source) }
            }
        }
        func file(_ key: String, _ file: KeyFile?) -> [UInt8]? {
            read(key) { () throws(TokenFileError) in
                guard let path = file?.path else { return nil }
                return try TokenReader.bytes(path: path, credentialsDirectory: tools.credentialsDirectory)
            }
        }
        secrets.secret = text("client-secret", client.clientSecret)
        secrets.refreshToken = text("refresh-token", client.refreshToken)
        secrets.subjectToken = text("subject-token", client.subjectToken)
        secrets.key = file("key", client.signingKey)
        secrets.proofKey = file("dpop-key", client.proofKey)
        return secrets
    }

    func send(
        _ request: ServerRequest, wantsJSON: Bool = true, _ done: @escaping @Sendable (OwnAnswer) -> Void
    ) {
        var upstream = Upstream(name: request.url.site, origin: request.url.origin)
        upstream.tls = request.tls
        upstream.timeout.connect = min(upstream.timeout.connect, client.timeout)
        upstream.timeout.firstByte = request.timeout
        upstream.timeout.total = request.timeout
        var fields = request.fields + [HeaderSetting(name: "Accept", value: "application/json")]
        if request.form != nil {
            fields.append(HeaderSetting(name: "Content-Type", value: "application/x-www-form-urlencoded"))
        }
        tools.surroundings.send(
            OwnRequest(
                upstream, method: request.method, target: request.url.target, fields: fields, body: request.form,
                wantsJSON: wantsJSON, secrets: request.secrets, owner: owner), done)
    }
}

extension TokenAnswer {
    init(_ answer: OwnAnswer, isBound: Bool, _ secrets: [[UInt8]]) {
        switch answer {
        case .body(let json):
            self.init(success: json, isBound: isBound) { OwnRequest.masked($0, hiding: secrets) }
        case .problem(let problem):
            self.init(
                failure: problem.detail, code: problem.upstreamCode,
                status: problem.kind == .upstreamError ? problem.status : nil,
                retryAfterSeconds: problem.retryAfterSeconds)
        }
    }
}
