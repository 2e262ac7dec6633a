internal import ArgumentParser
internal import Logging
internal import SluiceConfig
internal import SluiceContract
internal import SluiceIO

/// `NAME --config FILE`: a credential that a person signs in for.
struct CredentialOption: ParsableArguments {
    @Argument(help: ArgumentHelp("The credential's name under 'credentials:'.", valueName: "name"))
    var name: String

    @OptionGroup var file: ConfigurationOption

    /// - Throws: exit code 1 where there is none of this name that tokens are handed out for.
    func client(_ configuration: SluiceContract.Configuration) throws -> OAuth2Client {
        guard let credential = configuration.credentials.first(where: { $0.name == name }) else {
            let near = Nearest.name(to: name, among: configuration.credentials.map(\.name))
            throw Say.failure(
                "sluice: there is no credential '\(name)'" + (near.map { "; did you mean '\($0)'?" } ?? ""))
        }
        guard case .tokens(let client) = credential.kind.source else {
            throw Say.failure("sluice: nobody signs in for '\(name)': it is no 'oauth2:'")
        }
        return client
    }

    func signIn() throws -> (client: OAuth2Client, signIn: SignIn) {
        let configuration = try ConfigurationFile(file.path, secrets: .reported).configuration()
        let client = try client(configuration)
        let silent = Logger(label: "sluice") { _ in SwiftLogNoOpLogHandler() }
        return (client, try Self.told { try SignIn(name, client, configuration, logger: silent) })
    }

    /// Says what went wrong.
    static func told<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let failure as SignIn.Failure { throw Say.failure("sluice: \(failure)") }
    }
}
