internal import ArgumentParser
internal import SluiceContract
internal import SluiceCredentials
internal import SluiceGateway
internal import SluiceIO

/// `sluice login NAME`: a person signs in, and the gateway keeps the tokens.
struct LoginVerb: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "login",
        abstract: "Sign in for a credential; the tokens are kept for the daemon.",
        discussion: """
            Prints an address to open in a browser and waits until the browser comes back, or shows a code for another \
            device. A daemon that runs gets the tokens and keeps them: it is asked over its admin socket ('admin:' in \
            the configuration), by root or the user that it runs as. Where none runs, they are put into the state \
            folder.

              sluice login spotify
              sudo sluice login spotify --config /etc/sluice/sluice.yaml

            Exit codes: 0 signed in, 1 not, 2 the file cannot be read.
            """)

    @OptionGroup var credential: CredentialOption

    @Flag(help: "Print the address only; nothing opens it.")
    var noBrowser = false

    @Option(help: ArgumentHelp("How long to wait for the browser.", valueName: "seconds"))
    var wait = 300

    func validate() throws {
        guard (1...3600).contains(wait) else { throw ValidationError("--wait is from 1 to 3600 seconds") }
    }

    func run() throws {
        let page = try credential.page()
        let client = try credential.client(page)
        let redirect = client.grant == .authorizationCode ? try Self.redirectServer(client) : nil
        if let daemon = try credential.daemon(page) {
            return tell(try signIn(daemon, redirect), keeper: "Kept by the daemon in")
        }
        let signIn = try credential.signIn()
        let record = try CredentialOption.told {
            if let redirect { return try authorize(signIn, redirect) }
            if client.grant == .deviceCode { return try authorizeDevice(signIn) }
            return try Progress.during(Self.asking) { () throws(SignIn.Failure) in try signIn.renew() }
        }
        if let socket = page.admin { Say.error("No daemon answers at \(socket).", .note) }
        tell(
            .init(
                scope: record.scope, expiresAt: record.expiresAt, isRenewable: record.refreshToken != nil,
                folder: signIn.folderPath), keeper: "Kept in")
    }

    private func tell(_ token: SignInAnswer.SignedIn, keeper: String) {
        Say.print("Signed in as '\(credential.name)'\(Self.words(token)). \(keeper) \(token.folder).")
    }

    // MARK: - By a daemon

    private func signIn(_ daemon: DaemonSignIn, _ redirect: RedirectServer?) throws -> SignInAnswer.SignedIn {
        switch try daemon.begin(redirect: redirect?.redirect) {
        case .signedIn(let token): return token
        case .device(let id, let device):
            Self.tell(device)
            return try Progress.during("waiting for the other device") { try daemon.wait(id: id) }
        case .browser(let id, let authorization):
            guard let redirect else {
                throw Say.failure("sluice: the daemon has another page than this one; run: sluice reload")
            }
            let (code, issuer) = try agree(authorization, redirect)
            return try daemon.redeem(code, state: authorization.state, issuer: issuer, id: id)
        }
    }

    // MARK: - On the state folder

    private static let asking = "asking the authorization server"

    private func authorize(_ signIn: SignIn, _ redirect: RedirectServer) throws -> TokenRecord {
        let authorization = try Progress.during(Self.asking) { () throws(SignIn.Failure) in
            try signIn.authorization(redirect: redirect.redirect)
        }
        let code = try agree(authorization.shown, redirect).code
        return try Progress.during(Self.asking) { () throws(SignIn.Failure) in
            try signIn.redeem(code, authorization)
        }
    }

    private func authorizeDevice(_ signIn: SignIn) throws -> TokenRecord {
        let code = try Progress.during(Self.asking) { () throws(SignIn.Failure) in try signIn.deviceCode() }
        Self.tell(
            .init(
                userCode: code.userCode, url: code.verificationURL, completeURL: code.completeURL,
                lifetime: code.lifetime))
        return try Progress.during("waiting for the other device") { () throws(SignIn.Failure) in
            try signIn.agree(on: code)
        }
    }

    // MARK: - The person

    private static func redirectServer(_ client: OAuth2Client) throws -> RedirectServer {
        do throws(StreamSocket.Failure) {
            return try RedirectServer(port: client.redirectPort, path: client.redirectPath)
        } catch {
            throw Say.failure("sluice: \(error)")
        }
    }

    /// Waits for the browser.
    private func agree(
        _ authorization: SignInAnswer.Authorization, _ server: RedirectServer
    ) throws -> (code: String, issuer: String?) {
        Say.error("Open this address in a browser on this machine:\n\n  \(authorization.url.printable)\n", .note)
        if !noBrowser { Browser.open(authorization.url) }
        let answer = Progress.during("waiting for the browser, \(wait) s at most") {
            server.wait(for: authorization, seconds: wait)
        }
        switch answer {
        case .code(let code, let issuer): return (code, issuer)
        case .refused(let reason): throw Say.failure("sluice: not signed in: \(reason.printable)")
        case nil: throw Say.failure("sluice: nobody came back within \(wait) s; run this again")
        }
    }

    private static func tell(_ device: SignInAnswer.Device) {
        let (url, code) = (device.url.printable, device.userCode.printable)
        Say.error("Open \(url) on any device and enter the code  \(code)", .note)
        if let url = device.completeURL { Say.error("or open \(url.printable)", .note) }
    }

    /// What the token may do, and until when.
    static func words(_ token: SignInAnswer.SignedIn) -> String {
        var words = ""
        if let scope = token.scope { words += ", for \(scope.printable)" }
        if let end = token.expiresAt {
            words += ", until \(UnixTime.exactText(end))"
            if token.isRenewable { words += " and renewed after that" }
        }
        return words
    }
}
