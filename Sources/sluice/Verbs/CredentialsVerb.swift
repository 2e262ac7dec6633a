internal import ArgumentParser
internal import SluiceConfig
internal import SluiceContract
internal import SluiceCredentials
internal import SluiceIO
internal import SluiceJSON
internal import Glibc

/// `sluice credentials`: what the daemon has to show to upstreams, and how each credential is.
struct CredentialsVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "credentials",
        abstract: "List credentials and how they are, or renew one.",
        discussion: """
            Asks the daemon over its admin socket ('admin:' in the configuration). Where none runs, the list is made \
            from the state folder. No byte of any secret is told.

              sluice credentials
              sluice credentials refresh spotify

            Exit codes: 0 done, 1 there is no daemon, no such credential, or it refused, 2 the configuration cannot be \
            read, 64 the command line was not understood.
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
        var credentials: [ListedCredential]
    }

    func run() throws {
        guard let body = try daemonsList() else { return try listStored() }
        if admin.json { return Say.output(body) }
        tell(try AdminClient.read(Answer.self, body).credentials)
    }

    /// The daemon's list; nil where no daemon can be asked.
    private func daemonsList() throws -> [UInt8]? {
        let source = ConfigurationFile(admin.file.path, secrets: .ignored)
        guard let path = try admin.socket ?? source.address(\.admin) else { return nil }
        let client = try AdminClient(path: path)
        do throws(StreamSocket.Failure) {
            try client.reach()
        } catch  where error.isUnconnected && !error.isDenied && admin.socket == nil {
            return nil
        } catch {
            throw Say.failure("sluice: \(error)\(AdminClient.advice(error))")
        }
        return try client.ask("/credentials")
    }

    private func listStored() throws {
        // Before there is any secret in it.
        ProcessMemory.keepPrivate()
        let source = ConfigurationFile(admin.file.path, secrets: .ignored)
        let page = try source.configuration()
        let stored = try StoredCredentials(page)
        let place = stored.folder.map { "what stands in \($0)" } ?? "what the page says"
        Say.error(
            page.admin.map { "No daemon answers at \($0); this is \(place)." }
                ?? "\(source.name) has no admin socket ('admin:') to ask a daemon at; this is \(place).", .note)
        if admin.json {
            let list = stored.entries.map(\.json)
            return Say.output(Array((JSONValue.object([("credentials", .array(list))]).text + "\n").utf8))
        }
        tell(stored.entries)
    }

    private func tell(_ entries: [ListedCredential]) {
        if entries.isEmpty { return Say.print("There are no credentials.") }
        var table = TextTable(["NAME", "KIND", "STATE", "OBTAINED", "EXPIRES", "SCOPE", "LAST USED", "LAST ERROR"])
        for entry in entries {
            var used = entry.lastUsedAt.map { UnixTime.exactText($0) } ?? "-"
            if let binding = entry.lastBinding { used += " \(binding)" }
            if let who = entry.lastClient { used += " (\(who))" }
            // Scopes and errors are as an authorization server has written them.
            table.add([
                entry.name, entry.kind, entry.state, entry.obtainedAt.map { UnixTime.exactText($0) } ?? "-",
                entry.expiresAt.map { UnixTime.exactText($0) } ?? "-", entry.scope?.printable ?? "-", used,
                entry.lastError?.printable ?? "-",
            ])
        }
        Say.print(table.text)
    }
}

/// `sluice credentials refresh NAME`.
struct CredentialsRefreshVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh", abstract: "Have the daemon renew a credential now.")

    @Argument(help: "The credential's name.") var name: String
    @OptionGroup var admin: AdminOption

    private struct Answer: Decodable {
        var credentials: [ListedCredential]
    }

    func run() throws {
        let client = try admin.client()
        let listed = try client.ask(Answer.self, "/credentials").credentials
        guard let credential = listed.first(where: { $0.name == name }) else {
            let near = Nearest.name(to: name, among: listed.map(\.name)).map { "; did you mean '\($0)'?" } ?? ""
            throw Say.failure("sluice: there is no credential '\(name)'\(near)")
        }
        let body = try renew(credential, client)
        if admin.json { return Say.output(body) }
        Say.print("'\(name)' is being renewed; 'sluice credentials' tells what came of it.")
    }

    private func renew(_ credential: ListedCredential, _ client: AdminClient) throws -> [UInt8] {
        let told: (answer: LocalClient.Answer, body: [UInt8])
        do throws(StreamSocket.Failure) {
            told = try client.send("/credentials/refresh", [("name", name)], by: "POST")
        } catch {
            throw Say.failure("sluice: \(error)\(AdminClient.advice(error))")
        }
        if told.answer.status < 400 { return told.body }
        // The daemon's words are about the parameters of its socket.
        throw Say.failure(
            told.answer.status == 400
                ? "sluice: '\(name)' is of the kind '\(credential.kind)', and nothing that is renewed"
                : "sluice: " + AdminClient.words(of: told.body))
    }
}
