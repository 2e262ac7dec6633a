internal import ArgumentParser
internal import SluiceConfig
internal import SluiceContract
internal import SluiceJSON

/// `sluice verify`: whether upstreams still answer as the page declares.
struct VerifyVerb: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "verify",
        abstract: "Ask every binding that changes nothing once, and report which answers are not of their types.",
        discussion: """
            For a cron job or CI. Each GET binding is asked past the cache, with the examples of its parameters \
            ('example:'); a parameter that has to be there and has none is a reason to skip, and so is a request that \
            may change something.

              sluice verify --config sluice.yaml
              sluice verify --direct --config sluice.yaml
              sluice verify 'GET /fruits' 'GET /fruits/{id}'
              sluice verify --json | jq -r '.results[] | select(.outcome == "drifted") | .binding'

            Exit codes: 0 all that were asked are well, 1 some are not, or with --no-skips some were skipped, 2 the \
            configuration cannot be read, 64 the command line was not understood.
            """)

    @Argument(help: ArgumentHelp("Bindings, such as 'GET /fruits'; all where none is named.", valueName: "binding"))
    var bindings: [String] = []

    @OptionGroup var file: ConfigurationOption
    @OptionGroup var daemon: DaemonAddressOption

    @Flag(help: "Without a daemon: run the bindings in this process.")
    var direct = false

    @Flag(help: "A binding that is skipped is a failure, too.")
    var noSkips = false

    @Option(help: ArgumentHelp("For each whole answer, in seconds.", valueName: "seconds"))
    var timeout = 30

    @Option(
        name: [.customShort("H"), .customLong("header")],
        help: ArgumentHelp("A field of every request; may stand several times.", valueName: "name: value"))
    var headers: [String] = []

    @Flag(help: "JSON in place of text for people.")
    var json = false

    func validate() throws {
        if !(1...3600).contains(timeout) { throw ValidationError("--timeout is 1 to 3600 seconds") }
    }

    func run() throws {
        let configuration = try ConfigurationFile(file.path, secrets: direct ? .required : .ignored).configuration()
        let chosen = try chosen(configuration)
        let fields = try headers.map { header in
            guard let field = LocalRequest.field(header), LocalRequest.isValid(field) else {
                throw ValidationError("'\(header)' is no 'name: value'")
            }
            return field
        }
        let results: [VerifyResult]
        do {
            if direct {
                let server = try DirectServer(configuration)
                defer { server.stop() }
                results = verify(chosen, configuration, at: server.address, fields)
            } else {
                let address = try daemon.address(LocalAddress(configuration))
                if address.isTLS {
                    throw Say.failure(
                        "sluice: the configuration's addresses speak TLS, which 'verify' does not; pass --direct")
                }
                results = verify(chosen, configuration, at: address, fields)
            }
        } catch let code as ExitCode {
            throw code
        } catch let error as ValidationError {
            throw error
        } catch {
            throw Say.failure("sluice: \(error)")
        }
        Say.print(json ? Self.document(results).text : Self.summary(results))
        if results.contains(where: { $0.hasFailed || noSkips && $0.isSkipped }) { throw ExitCode(1) }
    }

    private func chosen(_ configuration: SluiceContract.Configuration) throws -> [Binding] {
        if bindings.isEmpty { return configuration.bindings }
        return try bindings.map { name in
            do throws(CallTarget.Unknown) {
                return try CallTarget(name, in: configuration.bindings).binding
            } catch {
                throw Say.failure("sluice: \(error)")
            }
        }
    }

    /// Each is told as soon as it is known.
    private func verify(
        _ bindings: [Binding], _ configuration: SluiceContract.Configuration, at address: LocalAddress,
        _ fields: [(name: String, value: String)]
    ) -> [VerifyResult] {
        let verifier = Verifier(address: address, configuration: configuration, seconds: timeout, fields: fields)
        return bindings.map { binding in
            let result = Progress.during("asking \(binding.name)") { verifier.result(of: binding) }
            if !json { Say.print(result.text) }
            return result
        }
    }

    private static func counts(_ results: [VerifyResult]) -> (well: Int, failed: Int, skipped: Int) {
        let failed = results.count { $0.hasFailed }
        let skipped = results.count { $0.isSkipped }
        return (results.count - failed - skipped, failed, skipped)
    }

    private static func summary(_ results: [VerifyResult]) -> String {
        let counts = counts(results)
        return "\n\(counts.well) well, \(counts.failed) failed, \(counts.skipped) skipped"
    }

    private static func document(_ results: [VerifyResult]) -> JSONValue {
        let counts = counts(results)
        return .object([
            ("results", .array(results.map(\.json))), ("ok", .number(counts.well)),
            ("failed", .number(counts.failed)), ("skipped", .number(counts.skipped)),
        ])
    }
}
