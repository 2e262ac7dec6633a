internal import ArgumentParser
internal import SluiceRules

/// `sluice tail`: finished requests as they happen.
struct TailVerb: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "tail",
        abstract: "Show requests as they happen, one line each.",
        discussion: """
            Asks the daemon over its admin socket ('admin:' in the configuration), and goes on until Ctrl-C. A line \
            has the time of day, how long the request took, what the cache did, the status, method and target, \
            attempts where there were several (×2), and the kind of its problem. \
            The filter is what the target, the binding or \
            the binding's path begins with; all selections together narrow what is shown.

              sluice tail
              sluice tail /fruits
              sluice tail 'GET /fruits' --problem
              sluice tail --slow 200ms --status 5xx
              sluice tail --json | jq -r .target

            Whoever reads too slowly is told how many lines were left out. Values in queries that sound like \
            credentials are not shown.

            Exit codes: 0 the daemon has ended, 1 there is none, or it refused, 2 the configuration cannot be read, \
            64 the command line was not understood.
            """)

    @Argument(help: ArgumentHelp("What a target or a binding begins with.", valueName: "filter"))
    var filter: String?

    @Flag(help: "Those that ended in a problem alone.")
    var problem = false

    @Option(help: ArgumentHelp("Those of this binding alone.", valueName: "method path"))
    var binding: String?

    @Option(help: ArgumentHelp("Those that took so long or longer, such as 200ms.", valueName: "duration"))
    var slow: String?

    @Option(help: ArgumentHelp("Those with this status, such as 404 or 5xx.", valueName: "status"))
    var status: String?

    @OptionGroup var admin: AdminOption

    func validate() throws {
        if let status, !Self.isStatus(status) {
            throw ValidationError("'\(status)' is no status such as 404, and no class such as 5xx")
        }
    }

    /// `404`, or `4xx`.
    private static func isStatus(_ text: String) -> Bool {
        if let number = Int(text) { return (100...599).contains(number) }
        let digits = Array(text.lowercased().utf8)
        return digits.count == 3 && digits.dropFirst() == [UInt8(ascii: "x"), UInt8(ascii: "x")]
            && (UInt8(ascii: "1")...UInt8(ascii: "5")).contains(digits[0])
    }

    func run() throws {
        let query: AdminClient.Query = [
            ("match", filter), ("problem", problem ? "true" : nil), ("binding", binding),
            ("slow", try slow.map(Self.milliseconds)), ("status", status),
        ]
        let client = try admin.client()
        let width = Terminal.width
        try client.follow("/requests", query) { line in
            if admin.json { return Say.output(line + [0x0A]) }
            // A line of a later version may have something else in a place.
            guard let request = try? JSONReading.value(TailLine.self, of: Array(line), isSnakeCase: true) else {
                return
            }
            Say.output(Array((request.text(width: width, .output) + "\n").utf8))
        }
        Say.error("sluice: the daemon has ended", .note)
    }

    private static func milliseconds(_ text: String) throws -> String {
        guard let duration = Quantity.duration(text) else {
            let near = Quantity.nearestDuration(text).map { "; did you mean \($0)?" } ?? ""
            throw ValidationError("'\(text)' is no duration such as 200ms or 2s\(near)")
        }
        return "\(duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000)"
    }
}
