internal import ArgumentParser
internal import SluiceContract
internal import SluiceCredentials
internal import SluiceIO
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// `sluice credentials`: what the daemon has to show to upstreams, and how each credential is.
struct CredentialsVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "credentials",
        abstract: "List credentials and how they are, or renew one.",
        discussion: """
            Asks the daemon over its admin socket ('admin:' in the configuration). No byte of any secret is told.

              sluice credentials
              sluice credentials refresh spotify
            """,
        subcommands: [CredentialsListVerb.self, CredentialsRefreshVerb.self],
        defaultSubcommand: CredentialsListVerb.self)
}

/// `sluice credentials list`.
struct CredentialsListVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List credentials and how they are.")

    @OptionGroup var admin: AdminOption

    private struct Answer: Decodable {
        var credentials: [Entry]
    }

    private struct Entry: Decodable {
        var name: String
        var kind: String
        var state: String
        var obtainedAt: Int?
        var expiresAt: Int?
        var scope: String?
        var lastError: String?
        var lastUsedAt: Int?
        var lastBinding: String?
        var lastClient: String?
    }

    func run() throws {
        let client = try admin.client()
        let body = try client.ask("/credentials")
        if admin.json { return Say.output(body) }
        let answer = try AdminClient.read(Answer.self, body)
        if answer.credentials.isEmpty { return print("There are no credentials.") }
        var table = TextTable(["NAME", "KIND", "STATE", "EXPIRES", "SCOPE", "LAST USED", "LAST ERROR"])
        for entry in answer.credentials {
            var used = entry.lastUsedAt.map { LoginVerb.time($0) } ?? "-"
            if let binding = entry.lastBinding { used += " \(binding)" }
            if let who = entry.lastClient { used += " (\(who))" }
            table.add([
                entry.name, entry.kind, entry.state, entry.expiresAt.map { LoginVerb.time($0) } ?? "-",
                entry.scope ?? "-", used, entry.lastError ?? "-",
            ])
        }
        print(table.text)
    }
}

/// `sluice credentials refresh NAME`.
struct CredentialsRefreshVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh", abstract: "Have the daemon renew a credential now.")

    @Argument(help: "The credential's name.") var name: String
    @OptionGroup var admin: AdminOption

    func run() throws {
        let body = try admin.client().ask("/credentials/refresh", [("name", name)], by: "POST")
        if admin.json { return Say.output(body) }
        print("'\(name)' is being renewed; 'sluice credentials' tells what came of it.")
    }
}
