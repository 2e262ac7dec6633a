internal import ArgumentParser
internal import Logging
internal import SluiceConfig
internal import SluiceContract
internal import SluiceIO

/// `NAME --config FILE --socket PATH`: a credential that a person signs in for, and the daemon that keeps it.
struct CredentialOption: ParsableArguments {
    @Argument(help: ArgumentHelp("The credential's name under 'credentials:'.", valueName: "name"))
    var name: String

    @OptionGroup var file: ConfigurationOption

    @Option(help: ArgumentHelp("The admin socket, if not where the configuration says.", valueName: "path"))
    var socket: String?

    /// The page without its secrets: they are the daemon's.
    func page() throws -> SluiceContract.Configuration {
        let source = ConfigurationFile(file.path, secrets: .ignored)
        let loaded = try source.readOrExit()
        guard let page = loaded.configuration ?? loaded.draft else { throw Report.failure(loaded.mistakes) }
        return page
    }

    /// - Throws: exit code 1 where no credential of this name gets tokens from a server.
    func client(_ configuration: SluiceContract.Configuration) throws -> OAuth2Client {
        guard let credential = configuration.credentials.first(where: { $0.name == name }) else {
            throw Say.failure("sluice: there is no credential '\(name)'; \(advice(configuration))")
        }
        guard case .tokens(let client) = credential.kind.source else {
            throw Say.failure("sluice: nobody signs in for '\(name)': it is no 'oauth2:'")
        }
        return client
    }

    /// What to write in place of a name that is not there.
    private func advice(_ configuration: SluiceContract.Configuration) -> String {
        if let near = Nearest.name(to: name, among: configuration.credentials.map(\.name)) {
            return "did you mean '\(near)'?"
        }
        let names = configuration.credentials.filter { credential in
            if case .tokens = credential.kind.source { true } else { false }
        }.map(\.name)
        return names.isEmpty ? "the page has no 'oauth2:' to sign in to" : "expected \(names.joined(separator: ", "))"
    }

    /// The running daemon; nil where the page names no admin socket, or no daemon answers.
    /// - Throws: exit code 1 where this user may not connect, or no daemon answers at `--socket`.
    func daemon(_ page: SluiceContract.Configuration) throws -> DaemonSignIn? {
        guard let path = socket ?? page.admin else { return nil }
        let client = try AdminClient(path: path, seconds: DaemonSignIn.seconds)
        do throws(StreamSocket.Failure) {
            try client.reach()
        } catch {
            if error.isUnconnected, !error.isDenied, socket == nil { return nil }
            throw Say.failure("sluice: \(error)\(AdminClient.advice(error))")
        }
        return DaemonSignIn(client: client, name: name)
    }

    /// On the state folder, where no daemon answers.
    func signIn() throws -> SignIn {
        // Before there is any secret in it.
        ProcessMemory.keepPrivate()
        let configuration = try ConfigurationFile(file.path, secrets: .reported).configuration()
        let client = try client(configuration)
        let silent = Logger(label: "sluice") { _ in SwiftLogNoOpLogHandler() }
        return try Self.told { () throws(SignIn.Failure) in try SignIn(name, client, configuration, logger: silent) }
    }

    /// Reports failures.
    static func told<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let failure as SignIn.Failure {
            throw Say.failure("sluice: \(failure.description.printable)")
        }
    }
}
