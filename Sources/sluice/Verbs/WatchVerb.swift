internal import ArgumentParser
internal import SluiceConfig
internal import SluiceContract
internal import SluiceJSON
internal import Glibc

/// `sluice watch 'GET /fruits'`: a value, and what changes of it.
struct WatchVerb: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "watch",
        abstract: "Show the value of a binding, and each change of it.",
        discussion: """
            The binding needs 'watch:' in the configuration. The value is shown as it is, then what has gone (-), what \
            has come (+) and what is another (~), until Ctrl-C. Every name=value goes where the parameter belongs, as \
            with 'sluice call'.

              sluice watch 'GET /fruits'
              sluice watch 'GET /fruits/{id}' id=3
              sluice watch 'GET /fruits' --json | jq -r .event

            A stream that ends is asked for once more, and goes on behind what has been shown.

            Exit codes: 1 there is no daemon, or it refused, 2 the configuration cannot be read, 64 the command line \
            was not understood.
            """)

    @Argument(help: ArgumentHelp("The binding, or a path that it matches.", valueName: "method path"))
    var binding: String

    @Argument(help: ArgumentHelp("Values of its parameters.", valueName: "name=value"))
    var pairs: [String] = []

    @OptionGroup var file: ConfigurationOption
    @OptionGroup var daemon: DaemonAddressOption

    @Option(
        name: [.customShort("H"), .customLong("header")],
        help: ArgumentHelp("A field to send; may stand several times.", valueName: "name: value"))
    var headers: [String] = []

    @Flag(help: "Each event as one line of JSON: its name and its data.")
    var json = false

    /// Before a stream that has ended is asked for once more.
    private static let retrySeconds: UInt32 = 1

    func validate() throws {
        if let misuse = CallTarget.misuse(binding, pairs, of: "watch") { throw ValidationError(misuse) }
    }

    func run() throws {
        let configuration = try ConfigurationFile(file.path, secrets: .ignored).configuration()
        do {
            let target = try CallTarget(binding, in: configuration.bindings)
            guard target.binding.watch != nil else {
                throw Say.failure("sluice: \(target.binding.name) is not watched; add 'watch: true' to it")
            }
            let address = try daemon.address(LocalAddress(configuration))
            if address.isTLS {
                throw Say.failure("sluice: the configuration's addresses speak TLS, which 'watch' does not")
            }
            try follow(try request(target, configuration, address), at: address)
        } catch let code as ExitCode {
            throw code
        } catch let error as ValidationError {
            throw error
        } catch {
            throw Say.failure("sluice: \(error)")
        }
    }

    private func request(
        _ target: CallTarget, _ configuration: SluiceContract.Configuration, _ address: LocalAddress
    ) throws -> LocalRequest {
        let arguments = try CallArguments(pairs, for: target, types: configuration.types)
        var request = LocalRequest(
            method: "GET", target: try arguments.requestTarget(), authority: address.authority,
            fields: arguments.fields)
        request.fields.append(("Accept", "text/event-stream"))
        if let cookie = arguments.cookie { request.fields.append(("Cookie", cookie)) }
        for header in headers {
            guard let field = LocalRequest.field(header), LocalRequest.isValid(field) else {
                throw ValidationError("'\(header)' is no 'name: value'")
            }
            request.fields.append(field)
        }
        return request
    }

    private func follow(_ request: LocalRequest, at address: LocalAddress) throws {
        var events = EventReader()
        var value = ShownValue(.output)
        while true {
            var again = request
            if let id = events.lastID { again.fields.append(("Last-Event-ID", id)) }
            var lines = LineSplitter()
            var status = 0
            var refusal: [UInt8] = []
            do throws(StreamSocket.Failure) {
                _ = try LocalClient(address: address.socket, seconds: 0).send(again) { answer in
                    status = answer.status
                } body: { bytes in
                    guard status == 200 else { return refusal += bytes }
                    lines.feed(bytes) { line in
                        if let event = events.take(line) { show(event, &value) }
                    }
                }
            } catch {
                let advice = error.isUnconnected ? "; is the daemon running?" : ""
                if status == 0 { throw Say.failure("sluice: \(error)\(advice)") }
            }
            if status != 200 { throw Say.failure("sluice: " + AdminClient.words(of: refusal)) }
            Say.error("sluice: the stream has ended, and is asked for again", .note)
            sleep(Self.retrySeconds)
        }
    }

    private func show(_ event: EventReader.Event, _ value: inout ShownValue) {
        if json {
            let data = PrettyJSON.lines(event.data) == nil ? nil : String(decoding: event.data, as: UTF8.self)
            let document = JSONValue.object([
                ("event", .string(event.name)),
                ("data", data.map { .verbatim($0) } ?? .string(String(decoding: event.data, as: UTF8.self))),
            ])
            return Say.output(Array((document.text + "\n").utf8))
        }
        guard let text = value.text(of: event), !text.isEmpty else { return }
        Say.output(Array((text + "\n").utf8))
    }
}
