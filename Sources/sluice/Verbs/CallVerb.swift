internal import ArgumentParser
internal import SluiceConfig
internal import SluiceContract
internal import Glibc

/// `sluice call 'GET /fruits' limit=3`: runs one binding.
struct CallVerb: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "call",
        abstract: "Run one binding and print what it answers.",
        discussion: """
            Every name=value goes where the binding's parameter belongs: path, query, header, cookie, or a JSON body, \
            in which a number stays a number. A list takes its name several times.

              sluice call 'GET /fruits' limit=3 colors=red colors=green
              sluice call 'GET /fruits/{id}' id=3
              sluice call 'GET /fruits/3' -i
              sluice call 'POST /fruits' name=fig size=3 color=green
              sluice call 'POST /fruits' --body @fruit.json
              sluice call 'GET /fruits' --direct --config sluice.yaml

            The body goes to standard output; that of a problem to standard error.

            Exit codes: 0 the status is below 400, 1 it is not, or there was no answer, 2 the configuration cannot be \
            read, 64 the command line was not understood.
            """)

    @Argument(help: ArgumentHelp("The binding, or a path that it matches.", valueName: "method path"))
    var binding: String

    @Argument(help: ArgumentHelp("Values of its parameters.", valueName: "name=value"))
    var pairs: [String] = []

    @OptionGroup var file: ConfigurationOption
    @OptionGroup var daemon: DaemonAddressOption

    @Flag(help: "Without a daemon: run the binding in this process.")
    var direct = false

    @Option(help: ArgumentHelp("The whole body: text, @file, or @- for standard input.", valueName: "body"))
    var body: String?

    @Option(
        name: [.customShort("H"), .customLong("header")],
        help: ArgumentHelp("A field to send; may stand several times.", valueName: "name: value"))
    var headers: [String] = []

    @Flag(name: [.customShort("i"), .customLong("include")], help: "Print status and fields of the answer, too.")
    var includesHead = false

    func validate() throws {
        if let misuse = CallTarget.misuse(binding, pairs, of: "call") { throw ValidationError(misuse) }
    }

    func run() throws {
        let configuration = try ConfigurationFile(file.path, secrets: direct ? .required : .ignored).configuration()
        do {
            let target = try CallTarget(binding, in: configuration.bindings)
            var request = try request(target, configuration)
            if direct {
                let server = try DirectServer(configuration)
                defer { server.stop() }
                try send(&request, to: server.address)
            } else {
                try send(&request, to: try daemon.address(LocalAddress(configuration)))
            }
        } catch let code as ExitCode {
            throw code
        } catch let error as ValidationError {
            throw error
        } catch {
            throw Say.failure("sluice: \(error)")
        }
    }

    private func request(_ target: CallTarget, _ configuration: SluiceContract.Configuration) throws -> LocalRequest {
        let arguments = try CallArguments(pairs, for: target, types: configuration.types)
        if body != nil, let member = arguments.members.first {
            throw ValidationError("'\(member.name)' belongs into the body, which --body gives whole")
        }
        let content =
            try body.map { try CallBody($0, for: target.binding) }
            ?? CallBody(arguments, for: target.binding, types: configuration.types)
        var request = LocalRequest(
            method: target.method, target: try arguments.requestTarget(), authority: "", fields: arguments.fields,
            body: content?.bytes)
        if let cookie = arguments.cookie { request.fields.append(("Cookie", cookie)) }
        for header in headers {
            guard let field = LocalRequest.field(header) else {
                throw ValidationError("'\(header)' is no 'name: value'")
            }
            request.fields.append(field)
        }
        let hasType = request.fields.contains { $0.name.lowercased() == "content-type" }
        if let type = content?.contentType, !hasType { request.fields.append(("Content-Type", type)) }
        if let wrong = request.fields.first(where: { !LocalRequest.isValid($0) }) {
            throw CallArguments.Fault(description: "'\(wrong.name)' or its value cannot stand in a header")
        }
        return request
    }

    private func send(_ request: inout LocalRequest, to address: LocalAddress) throws {
        if address.isTLS {
            throw Say.failure("sluice: the configuration's addresses speak TLS, which 'call' does not; pass --direct")
        }
        request.authority = address.authority
        var isProblem = false
        var output = AnswerOutput(isProblem: false)
        var last: UInt8?
        let progress = Progress("waiting for the answer")
        defer { progress.end() }
        do throws(StreamSocket.Failure) {
            _ = try LocalClient(address: address.socket, seconds: 0).send(request) { answer in
                progress.end()
                isProblem = answer.status >= 400
                output = AnswerOutput(isProblem: isProblem)
                if includesHead { Self.show(head: "\(answer.head)\n") }
            } body: { bytes in
                last = bytes.last
                output.write(bytes)
            }
            output.end()
        } catch {
            output.end()
            progress.end()
            let advice = error.isUnconnected ? "; is the daemon running? --direct does without" : ""
            throw Say.failure("sluice: \(error)\(advice)")
        }
        // A prompt, or another line, shall not stand behind the last line of an answer without end.
        if let last, last != UInt8(ascii: "\n") {
            if isProblem { Say.error("") } else if isatty(STDOUT_FILENO) == 1 { Say.print("") }
        }
        if isProblem { throw ExitCode(1) }
    }

    private static func show(head: String) {
        Say.output(Array((isatty(STDOUT_FILENO) == 1 ? head.printableLines : head).utf8))
    }
}
