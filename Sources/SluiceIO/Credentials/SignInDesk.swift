internal import Dispatch
internal import Logging
internal import SluiceContract
internal import SluiceCredentials
internal import SluiceGateway
internal import SluiceSigning
internal import SluiceSockets
internal import Synchronization

/// Sign-ins that commands have begun over the admin socket. Each step is carried out on a thread of its own, because it
/// waits for an authorization server.
final class SignInDesk: Sendable {
    /// The credential that is signed in to, and where its tokens go.
    struct Subject: Sendable {
        var name: String
        var client: OAuth2Client
        var folder: StateFolder
        /// Makes the runner read the stored tokens again.
        var changed: @Sendable () -> Void
    }

    private enum Begun: Sendable {
        case browser(SignIn, SignIn.Authorization)
        case device(DeviceSignIn)
    }

    private struct State {
        /// In their order, by credential and number.
        var begun: [(name: String, id: String, what: Begun)] = []
        var working = 0
    }

    /// Unfinished sign-ins that are kept; the oldest is dropped first.
    private static let begunMax = 16
    /// Steps that are carried out at the same time.
    private static let workingMax = 8

    private let tools: CredentialTools
    private let state = Mutex(State())

    init(_ tools: CredentialTools) {
        self.tools = tools
    }

    func take(
        _ request: SignInRequest, of subject: Subject, _ done: @escaping @Sendable (SignInAnswer) -> Void
    ) {
        if case .wait(let id) = request.step { return wait(id, of: subject, done) }
        work(subject, done) { [self] () throws(SignIn.Failure) in
            switch request.step {
            case .begin(let redirect): return try begin(redirect, of: subject, by: request.user)
            case .redeem(let id, let redirected): return try redeem(id, redirected, of: subject)
            case .signOut:
                tools.audit.note(.signOutBegun(user: request.user), of: subject.name)
                let told = try SignIn(subject.name, subject.client, subject.folder, tools).signOut()
                return .signedOut(told: told)
            case .wait: return .pending
            }
        }
    }

    /// Runs `body` on a thread, and has its outcome taken up before the client gets its answer.
    private func work(
        _ subject: Subject, _ done: @escaping @Sendable (SignInAnswer) -> Void,
        _ body: @escaping @Sendable () throws(SignIn.Failure) -> SignInAnswer
    ) {
        let mayBegin = state.withLock { state in
            guard state.working < Self.workingMax else { return false }
            state.working += 1
            return true
        }
        guard mayBegin else {
            return done(
                .failed(Problem(.overloaded, detail: "\(Self.workingMax) sign-ins are at work; run this again.")))
        }
        let code = ServiceThread.start("sluice-sign-in") { [self] in
            let answer = Self.answer(body, of: subject, tools)
            state.withLock { $0.working -= 1 }
            subject.changed()
            tools.queue.async { done(answer) }
        }
        if code == 0 { return }
        state.withLock { $0.working -= 1 }
        done(.failed(Problem(.overloaded, detail: Self.noThread(code).description)))
    }

    static func answer(
        _ body: () throws(SignIn.Failure) -> SignInAnswer, of subject: Subject, _ tools: CredentialTools
    ) -> SignInAnswer {
        do throws(SignIn.Failure) {
            return try body()
        } catch {
            tools.audit.note(.signInFailed(error.description), of: subject.name)
            tools.logger.warning(
                "no sign-in or sign-out", metadata: ["credential": "\(subject.name)", "reason": "\(error)"])
            return .failed(Problem(.credentialUnavailable, detail: "'\(subject.name)': \(error)"))
        }
    }

    // MARK: - Steps

    private func begin(
        _ redirect: String?, of subject: Subject, by user: UInt32?
    ) throws(SignIn.Failure) -> SignInAnswer {
        tools.audit.note(.signInBegun(user: user), of: subject.name)
        tools.logger.info(
            "a sign-in begins", metadata: ["credential": "\(subject.name)", "uid": "\(user.map { "\($0)" } ?? "?")"])
        let signIn = SignIn(subject.name, subject.client, subject.folder, tools)
        switch subject.client.grant {
        case .authorizationCode:
            guard let redirect, Self.isLoopback(redirect) else {
                throw SignIn.Failure(description: "'redirect' has to be http://127.0.0.1:PORT/ and a path")
            }
            let authorization = try signIn.authorization(redirect: redirect)
            let id = keep(.browser(signIn, authorization), of: subject)
            return .browser(id: id, authorization.shown)
        case .deviceCode:
            let code = try signIn.deviceCode()
            let device = DeviceSignIn(signIn, code, subject, tools)
            try device.start()
            let id = keep(.device(device), of: subject)
            return .device(
                id: id,
                .init(
                    userCode: code.userCode, url: code.verificationURL, completeURL: code.completeURL,
                    lifetime: code.lifetime))
        case .clientCredentials, .refreshToken, .tokenExchange, .jwtBearer:
            return .signedIn(.init(try signIn.renew(), in: subject.folder))
        }
    }

    /// RFC 8252 §7.3.
    private static func isLoopback(_ redirect: String) -> Bool {
        guard let url = EndpointURL(redirect), !url.isSecure else { return false }
        return ["127.0.0.1", "::1"].contains(url.host)
    }

    private func redeem(
        _ id: String, _ redirected: SignInRequest.Redirected, of subject: Subject
    ) throws(SignIn.Failure) -> SignInAnswer {
        guard case .browser(let signIn, let authorization)? = take(id, of: subject) else { throw Self.unknown }
        // The redirect's receiver has checked state and issuer too, but the daemon does not rely on its client.
        guard redirected.state == authorization.shown.state else {
            throw SignIn.Failure(description: "the answer is that of another sign-in")
        }
        if !authorization.shown.isFrom(redirected.issuer) {
            throw SignIn.Failure(description: "the answer comes from another server")
        }
        return .signedIn(.init(try signIn.redeem(redirected.code, authorization), in: subject.folder))
    }

    private func wait(_ id: String, of subject: Subject, _ done: @escaping @Sendable (SignInAnswer) -> Void) {
        let known = state.withLock { $0.begun.first { $0.id == id && $0.name == subject.name }?.what }
        guard case .device(let device)? = known else {
            return done(.failed(Problem(.credentialUnavailable, detail: Self.unknown.description)))
        }
        device.wait { [self] answer in
            if case .pending = answer {} else { _ = take(id, of: subject) }
            done(answer)
        }
    }

    private static let unknown = SignIn.Failure(
        description: "no such sign-in has been begun, or it is too old; run 'sluice login' again")

    /// Why a sign-in does not begin where the system has no thread for it.
    static func noThread(_ code: Int32) -> SignIn.Failure {
        SignIn.Failure(
            description: "the daemon has no thread for a sign-in (\(SystemCall.reason(code))); run this again later")
    }

    // MARK: - What was begun

    private func keep(_ what: Begun, of subject: Subject) -> String {
        let id = SecureRandom.text(bytes: 16)
        state.withLock { state in
            if state.begun.count >= Self.begunMax { state.begun.removeFirst() }
            state.begun.append((subject.name, id, what))
        }
        return id
    }

    private func take(_ id: String, of subject: Subject) -> Begun? {
        state.withLock { state in
            guard let index = state.begun.firstIndex(where: { $0.id == id && $0.name == subject.name }) else {
                return nil
            }
            return state.begun.remove(at: index).what
        }
    }
}

extension SignInAnswer.SignedIn {
    init(_ record: TokenRecord, in folder: StateFolder) {
        self.init(
            scope: record.scope, expiresAt: record.expiresAt, isRenewable: record.refreshToken != nil,
            folder: folder.path)
    }
}
