internal import ArgumentParser
internal import SluiceConfig
internal import SluiceContract
internal import Glibc

/// `sluice reload`: has a daemon read its configuration again, and tells what came of it.
struct ReloadVerb: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "reload",
        abstract: "Have a daemon read its configuration again, and tell what came of it.",
        discussion: """
            Asks the daemon over its admin socket ('admin:' in the configuration) and waits. A configuration with \
            mistakes is refused: they are printed, and the old one stays in force. FILE says which daemon, by its \
            'admin:', and has to be the file that this one reads; with --socket it does not matter.

              sluice reload
              sluice reload --socket /run/sluice/admin.sock

            Exit codes: 0 the new configuration is in force, 1 it was refused, or no daemon was reached, 2 the file \
            cannot be read.
            """)

    @OptionGroup var page: PageOption

    @Option(help: ArgumentHelp("The admin socket, if not where the configuration says.", valueName: "path"))
    var socket: String?

    @Option(
        help: ArgumentHelp(
            "Where no admin socket answers, check the configuration here and send SIGHUP to this process.",
            valueName: "pid"))
    var orSignal: Int32?

    @Flag(help: "Print the daemon's verdict as JSON.")
    var json = false

    /// What `/reloads` of the admin socket says.
    private struct Reloads: Decodable {
        /// Nil where the daemon is older than the question.
        var file: String?
    }

    /// The daemon's answer.
    private struct Verdict: Decodable {
        var accepted: Bool
        var summary: String
        var findings: [Report.Finding]
    }

    func validate() throws {
        // Numbers from 0 down mean groups of processes, or all processes (kill(2)).
        if let orSignal, orSignal <= 0 { throw ValidationError("--or-signal wants the number of a process") }
    }

    func run() throws {
        guard let processID = orSignal else {
            let path = try socket ?? AdminClient.path(in: ConfigurationFile(page.path, secrets: .ignored))
            return try ask(try AdminClient(path: path))
        }
        // If the file is too broken to name the socket, its next reader reports it.
        let draft = (try? ConfigurationFile(page.path, secrets: .ignored).read())?.draft
        guard let path = socket ?? draft?.admin else { return try signal(processID) }
        try ask(try AdminClient(path: path)) { try signal(processID) }
    }

    /// The daemon listens where its page said when it last read it.
    private static let moved =
        " If the path of 'admin:' has been changed since its start: --socket takes the old one, or send it SIGHUP"

    /// - Parameter otherwise: run if no daemon is reached.
    private func ask(_ client: AdminClient, otherwise: (() throws -> Void)? = nil) throws {
        try expectPage(client)
        let (answer, body): (LocalClient.Answer, [UInt8])
        do throws(StreamSocket.Failure) {
            (answer, body) = try Progress.during("waiting for the daemon's verdict") {
                () throws(StreamSocket.Failure) in try client.send("/reload", by: "POST")
            }
        } catch {
            if error.isUnconnected, let otherwise { return try otherwise() }
            let moved = error.isUnconnected && socket == nil ? Self.moved : ""
            throw Say.failure("sluice: \(error)\(AdminClient.advice(error))\(moved)")
        }
        guard answer.status < 400 || answer.contentType == "application/json" else {
            throw Say.failure("sluice: " + AdminClient.words(of: body))
        }
        let verdict = try AdminClient.read(Verdict.self, body)
        if json {
            Say.output(body)
        } else {
            Report.tell(verdict.findings)
            if verdict.accepted { Say.print(verdict.summary) } else { Say.error("sluice: \(verdict.summary)") }
        }
        if !verdict.accepted { throw ExitCode(1) }
    }

    /// A daemon with another page would reload that one, not the named one.
    private func expectPage(_ client: AdminClient) throws {
        guard socket == nil, let (answer, body) = try? client.send("/reloads", by: "GET"), answer.status == 200,
            let theirs = (try? JSONReading.value(Reloads.self, of: body))?.file
        else { return }
        let named = ConfigurationFile(page.path, secrets: .ignored)
        if named.isSame(as: theirs) { return }
        throw Say.failure(
            "sluice: the daemon reads \(theirs.printable), not \(named.name); name that one, or use --socket")
    }

    /// Nobody hears what becomes of a signal, so that what can be found out before is found out here. Secrets are the
    /// daemon's: systemd gives its credentials to the service alone, and not to what reloads it.
    private func signal(_ processID: Int32) throws {
        let source = ConfigurationFile(page.path, secrets: .ignored)
        let loaded = try source.readOrExit()
        if loaded.configuration == nil { throw Report.failure(loaded.mistakes) }
        if let mistake = source.compileMistake(loaded) { throw Report.failure([mistake]) }
        guard kill(processID, SIGHUP) == 0 else {
            throw Say.failure("sluice: process \(processID) cannot be signalled: \(String(cString: strerror(errno)))")
        }
        if !json {
            Say.print("SIGHUP sent to process \(processID), which has no admin socket; its log tells what came of it")
        }
    }
}
