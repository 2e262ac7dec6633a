internal import ArgumentParser
internal import SluiceConfig
internal import SluiceConsole
internal import SluiceIO
internal import Glibc

/// `sluice top`: what a daemon has to do, as it happens.
struct TopVerb: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "top",
        abstract: "Watch bindings and upstreams of a daemon in the terminal.",
        discussion: """
            Rates, latency, errors and hit ratios of each binding, and how upstreams are, from the metrics on the \
            daemon's admin socket ('admin:' in the configuration).

            Keys: up and down select a binding, left and right choose the column to sort by, r reverses, / filters, \
            space pauses, q quits.

              sluice top
              sluice top --every 5
              sluice top --once

            With --once one table is printed, with the figures since the daemon's start.

            Exit codes: 0 ended as asked, 1 the daemon was not reached, 2 the file cannot be read.
            """)

    @OptionGroup var file: ConfigurationOption

    @Option(help: ArgumentHelp("The admin socket, if not where the configuration says.", valueName: "path"))
    var socket: String?

    @Option(help: ArgumentHelp("How often to look.", valueName: "seconds"))
    var every = 2

    @Flag(help: "Print one table and end.")
    var once = false

    /// A daemon that takes longer is shown as not answering.
    private static let patienceSeconds = 10

    func validate() throws {
        guard (1...3600).contains(every) else { throw ValidationError("--every is from 1 to 3600 seconds") }
    }

    func run() throws {
        let path = try socket ?? AdminClient.path(in: ConfigurationFile(file.path, secrets: .ignored))
        let client = try AdminClient(path: path, seconds: Self.patienceSeconds)
        // A missing daemon or permission is reported before the alternate screen is entered.
        let first = try snapshot(client)
        if once { return Say.print(TopScreen.table(first), terminator: "") }
        guard let terminal = TopTerminal() else {
            throw Say.failure("sluice: 'top' needs a terminal; --once prints one table")
        }
        if Terminal.isDumb {
            throw Say.failure("sluice: 'top' needs a terminal that can move its cursor; --once prints one table")
        }
        var run = TopRun(terminal, MetricsWatch(client, every: .seconds(every)), first)
        // A shell tells by it what ended a command (signal(7)).
        if let signal = run.run() { throw ExitCode(128 + signal) }
    }

    private func snapshot(_ client: AdminClient) throws -> FigureSnapshot {
        do {
            return try MetricsWatch.look(client).get()
        } catch {
            throw Say.failure("sluice: \(error)\(AdminClient.advice(error))")
        }
    }
}
