internal import ArgumentParser

/// `sluice demo-upstream`: an API to try Sluice on.
struct DemoUpstreamVerb: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "demo-upstream",
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

            Exit codes: 1 it could not listen, 64 the command line was not understood; it goes on until it is ended.
            """)

    private static let usualPort: UInt16 = 9090

    @Option(
        help: ArgumentHelp(
            "Where to listen: 127.0.0.1:9090, [::1]:9090, unix:/path, or a port. (default: 9090)", valueName: "address")
    )
    var listen: ListenAddress?

    @Option(help: ArgumentHelp("The port of 127.0.0.1 to listen on; the same as --listen.", valueName: "port"))
    var port: UInt16?

    func validate() throws {
        if listen != nil, port != nil { throw ValidationError("--listen and --port say the same; give one") }
    }

    func run() throws {
        guard let address = listen ?? ListenAddress(argument: "\(port ?? Self.usualPort)") else { return }
        let server: DemoServer
        do {
            server = try DemoServer(address.address)
        } catch {
            throw Say.failure("sluice: \(error)")
        }
        Say.error("demo-upstream: listening on \(server.address)", .note)
        server.serve()
    }
}
