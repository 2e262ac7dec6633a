internal import ArgumentParser
internal import SluiceConfig
internal import SluiceContract
internal import SluiceIO
internal import SluiceSockets
internal import Glibc

/// `sluice console`: a page for the browser, for as long as the command runs.
struct ConsoleVerb: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "console",
        abstract: "Look at a daemon in the browser, try its bindings, and administer it.",
        discussion: """
            Serves a page on a port of this machine that nobody else can use: it is opened by a link that is good \
            once. All that it shows comes over the daemon's admin socket ('admin:' in the configuration), as for the \
            other verbs; bindings are tried at the daemon's own address. It ends with Ctrl-C.

              sluice console
              sluice console --config sluice.yaml --no-open

            Exit codes: 0 ended as asked, 1 the daemon was not reached or the port is taken, 2 the file cannot be read.
            """)

    @OptionGroup var file: ConfigurationOption
    @OptionGroup var daemon: DaemonAddressOption

    @Option(help: ArgumentHelp("The admin socket, if not where the configuration says.", valueName: "path"))
    var socket: String?

    @Option(help: ArgumentHelp("The page's port; 0 is any free one.", valueName: "port"))
    var port = 0

    @Flag(help: "Print the link only; nothing opens it.")
    var noOpen = false

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port is from 0 to 65535") }
    }

    func run() throws {
        // Before there are other threads.
        Signals.hold()
        let source = ConfigurationFile(file.path, secrets: .ignored)
        let page = socket == nil ? try source.readOrExit().draft : try? source.read().draft
        let path = try socket ?? AdminClient.path(in: source)
        let admin = try AdminClient(path: path, seconds: DaemonSignIn.seconds)
        let server: ConsoleServer
        do throws(StreamSocket.Failure) {
            try admin.reach()
            server = try ConsoleServer(
                port: port, admin: admin.address, daemon: try tried(page),
                signIns: ConsoleSignIns(admin, page ?? SluiceContract.Configuration()))
        } catch {
            throw Say.failure("sluice: \(error)\(AdminClient.advice(error))")
        }
        ServiceThread.run("sluice-console") { server.serve() }
        Say.output(Array("\(server.url)\n".utf8))
        Say.error("This link opens the console once, on this machine. It ends with Ctrl-C.", .note)
        let link = noOpen || !Browser.isThere ? nil : LinkFile(leadingTo: server.url)
        if let link { Browser.open("file://\(link.path)") }
        Signals.awaitEnd()
        link?.remove()
    }

    /// Where bindings are tried.
    private func tried(
        _ page: SluiceContract.Configuration?
    ) throws(StreamSocket.Failure) -> Result<LocalAddress, Problem> {
        let address = daemon.url.map { LocalAddress(url: $0) } ?? page.flatMap { LocalAddress($0) }
        guard let address else {
            if let url = daemon.url {
                throw .init(description: "'\(url)' is neither http://address:port nor unix:/path")
            }
            return .failure(
                Problem(
                    .unreachable, detail: "The console does not know where the daemon listens; start it with --url."))
        }
        if address.isTLS {
            return .failure(
                Problem(
                    .unreachable,
                    detail: "The daemon's addresses speak TLS, which the console does not; name another with --url."))
        }
        return .success(address)
    }
}
