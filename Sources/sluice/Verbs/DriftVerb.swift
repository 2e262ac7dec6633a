internal import ArgumentParser

/// `sluice drift`: where answers are not as their types say.
struct DriftVerb: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "drift",
        abstract: "List where upstreams answer something else than their types say, and what would take it.",
        discussion: """
            Speaks to the daemon over its admin socket ('admin:' in the configuration), which only the daemon's own \
            user and root may use. What is listed is kept over restarts where the daemon has a state folder. Of values \
            only their shape is shown: a0 for letters and digits.

              sluice drift
              sluice drift 'GET /fruits' --json | jq '.findings[].proposal'
              sluice drift --forget 'GET /fruits'
              sluice drift --forget-all

            Exit codes: 0 nothing has drifted, or it is forgotten, 1 something has, there is no daemon, or it refused, \
            2 the configuration cannot be read, 64 the command line was not understood.
            """)

    @Argument(help: ArgumentHelp("One binding, such as 'GET /fruits/{id}'.", valueName: "binding"))
    var binding: String?

    @Option(
        help: ArgumentHelp("Forget what was found of a binding: its type has been corrected.", valueName: "binding"))
    var forget: String?

    @Flag(help: "Forget all that was found.")
    var forgetAll = false

    @OptionGroup var admin: AdminOption

    func validate() throws {
        let count = (binding == nil ? 0 : 1) + (forget == nil ? 0 : 1) + (forgetAll ? 1 : 0)
        if count > 1 { throw ValidationError("name a binding to list, or --forget one, or --forget-all") }
    }

    private struct Forgotten: Decodable {
        var forgotten: Int
    }

    func run() throws {
        let client = try admin.client()
        if forget != nil || forgetAll { return try tellToForget(client) }
        let body = try client.ask("/drift", [("binding", binding)])
        let list = try AdminClient.read(DriftList.self, body)
        if admin.json { Say.output(body) } else { Say.print(list.text) }
        if !list.findings.isEmpty { throw ExitCode(1) }
    }

    private func tellToForget(_ client: AdminClient) throws {
        let query: AdminClient.Query = [("binding", forget), ("all", forgetAll ? "true" : nil)]
        let body = try client.ask("/drift", query, by: "DELETE")
        if admin.json { return Say.output(body) }
        let count = try AdminClient.read(Forgotten.self, body).forgotten
        Say.print("\(count) finding\(count == 1 ? "" : "s") forgotten")
    }
}
