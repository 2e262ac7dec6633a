internal import ArgumentParser

/// `sluice cache explain`.
struct CacheExplainVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Tell why the next request would hit or miss.",
        discussion: """
            Nobody is asked and nothing is counted. The decisions are those that a request meets.

              sluice cache explain 'GET /fruits?limit=3'
              sluice cache explain /fruits -H 'Accept-Language: de' -H 'Cache-Control: max-age=5'
            """)

    @Argument(help: ArgumentHelp("Method and target; GET where there is no method.", valueName: "request"))
    var request: String

    @Option(
        name: [.customShort("H"), .customLong("header")],
        help: ArgumentHelp("A field of the request; may stand several times.", valueName: "name: value"))
    var headers: [String] = []

    @Option(help: ArgumentHelp("The client's address, for private entries; 127.0.0.1 otherwise.", valueName: "address"))
    var client: String?

    @OptionGroup var admin: AdminOption

    func run() throws {
        let text = request.hasPrefix("/") ? "GET \(request)" : request
        // Both may hold credentials, and targets are logged: so they are sent as fields.
        let fields = [("Explain-Request", text)] + headers.map { ("Explain-Field", $0) }
        if let wrong = fields.first(where: { !LocalRequest.isValid($0) }) {
            throw ValidationError("'\(wrong.1)' cannot stand in a request")
        }
        let query = [("client", client)]
        if admin.json {
            return Say.output(try admin.client().ask("/cache/explain", query, fields: fields))
        }
        Say.print(try admin.client().ask(CacheReport.self, "/cache/explain", query, fields: fields).page)
    }
}
