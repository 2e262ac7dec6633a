internal import ArgumentParser
internal import SluiceContract
internal import SluiceCredentials
internal import SluiceIO
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// `sluice login NAME`: a person signs in, and the gateway keeps the tokens.
struct LoginVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Sign in for a credential; the tokens are kept for the daemon.",
        discussion: """
            Prints an address to open in a browser and waits until the browser comes back, or shows a code for another \
            device. A daemon that runs takes the tokens up by itself. Run this as the user that the daemon runs as.

              sluice login spotify
              sudo -u sluice sluice login spotify --config /etc/sluice/sluice.yaml

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
        let (client, signIn) = try credential.signIn()
        let record = try CredentialOption.told {
            switch client.grant {
            case .authorizationCode: try authorize(client, signIn)
            case .deviceCode: try authorizeDevice(signIn)
            case .clientCredentials, .refreshToken, .tokenExchange, .jwtBearer: try signIn.renew()
            }
        }
        print("Signed in as '\(credential.name)'\(Self.words(record)). Kept in \(signIn.folderPath).")
    }

    private func authorize(_ client: OAuth2Client, _ signIn: SignIn) throws -> TokenRecord {
        let server: RedirectServer
        do throws(StreamSocket.Failure) {
            server = try RedirectServer(port: client.redirectPort, path: client.redirectPath)
        } catch {
            throw Say.failure("sluice: \(error)")
        }
        let authorization = try signIn.authorization(redirect: server.redirect)
        Say.error("Open this address in a browser on this machine:\n\n  \(authorization.url)\n", .note)
        if !noBrowser { Self.open(authorization.url) }
        let answer = server.wait(
            state: authorization.state, issuer: authorization.issuer, needsIssuer: authorization.needsIssuer,
            seconds: wait)
        switch answer {
        case .code(let code): return try signIn.redeem(code, authorization)
        case .refused(let reason): throw Say.failure("sluice: not signed in: \(reason)")
        case nil: throw Say.failure("sluice: nobody came back within \(wait) s; run this again")
        }
    }

    private func authorizeDevice(_ signIn: SignIn) throws -> TokenRecord {
        let code = try signIn.deviceCode()
        Say.error("Open \(code.verificationURL) on any device and enter the code  \(code.userCode)", .note)
        if let url = code.completeURL { Say.error("or open \(url)", .note) }
        let deadline = MonotonicClock.now() + UInt64(min(code.lifetime, 3600)) * 1_000_000_000
        var interval = code.interval
        while MonotonicClock.now() < deadline {
            ServiceThread.sleep(.seconds(interval))
            switch try signIn.ask(about: code) {
            case .pending: break
            case .slower: interval += 5
            case .signedIn(let record): return record
            }
        }
        throw Say.failure("sluice: the code is too old; run this again")
    }

    /// What the token may do, and until when.
    static func words(_ record: TokenRecord) -> String {
        var words = ""
        if let scope = record.scope { words += ", for \(scope)" }
        if let end = record.expiresAt {
            words += ", until \(Self.time(end))"
            if record.refreshToken != nil { words += " and renewed after that" }
        }
        return words
    }

    /// Local time of a moment in seconds since 1970.
    static func time(_ seconds: Int) -> String {
        var time = time_t(seconds)
        var parts = tm()
        localtime_r(&time, &parts)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            let count = strftime(buffer.baseAddress!, buffer.count, "%Y-%m-%d %H:%M:%S", &parts)
            return String(decoding: UnsafeRawBufferPointer(start: buffer.baseAddress, count: count), as: UTF8.self)
        }
    }

    /// Where there is a desktop, its program for addresses opens it; where that fails, the address is on the screen.
    private static func open(_ url: String) {
        guard getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil else { return }
        var process = pid_t()
        let words: [UnsafeMutablePointer<CChar>?] = [strdup("xdg-open"), strdup(url)]
        defer { for word in words { free(word) } }
        _ = posix_spawnp(&process, "xdg-open", nil, nil, words + [nil], environ)
    }
}
