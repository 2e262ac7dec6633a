internal import ArgumentParser
internal import SluiceContract
internal import SluiceIO

/// `sluice demo-upstream`: an API to try Sluice on.
struct DemoUpstreamVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo-upstream",
        abstract: "Run the fruit API that config/demo.yaml binds to.",
        discussion: """
            Under /v1, in memory, one line per request on standard error:

              GET /fruits?limit=3&colors=red  {"total", "values", "paging"}
              GET /fruits/{id}                one fruit, or a 404
              POST /fruits                    {"fruit": {...}} for the same, 201
              DELETE /fruits/{id}             204
              POST /signin                    {"email", "password"} for {"token"}
              GET /slow?ms=500                an answer that takes its time
              GET /broken/{kind}              an answer that is wrong

            Errors are {"error": {"message", "code"}}. The password is 'fruit-salad'. The kinds of broken answers are \
            \(BrokenAnswer.names.joined(separator: ", ")).

            Everything but /signin wants 'Authorization: Bearer demo-token', or a token that /signin gave out.
            """)

    @Option(help: ArgumentHelp("Where to listen.", valueName: "address"))
    var listen = ListenAddress.demo

    func run() throws {
        let server: DemoServer
        do {
            server = try DemoServer(listen.address)
        } catch {
            throw Say.failure("sluice: \(error)")
        }
        Say.error("demo-upstream: listening on \(server.address)")
        server.serve()
    }
}

/// `127.0.0.1:9090`, `[::1]:9090` or `unix:/path` as an argument.
struct ListenAddress: ExpressibleByArgument {
    let address: SocketAddress
    let defaultValueDescription: String

    static let demo = ListenAddress(argument: "127.0.0.1:9090")!

    init?(argument: String) {
        if argument.hasPrefix("unix:") {
            guard let address = SocketAddress(unixPath: String(argument.dropFirst(5))) else { return nil }
            self.address = address
        } else {
            guard let colon = argument.lastIndex(of: ":"), let port = Int(argument[argument.index(after: colon)...]),
                let address = SocketAddress(literal: String(argument[..<colon]), port: port)
            else { return nil }
            self.address = address
        }
        defaultValueDescription = argument
    }
}
