internal import ArgumentParser

/// `sluice serve`: the daemon.
struct ServeVerb: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "serve",
        abstract: "Run the gateway.",
        discussion: """
            SIGTERM and SIGINT stop accepting, finish what is in flight within 'drain:', and exit 0; a second one ends \
            it at once. An event loop that does not end is not waited for. SIGHUP reloads the configuration and \
            reopens the access log; a file with mistakes is refused and the old one stays in force. 'sluice reload' \
            does the same and tells what came of it.

              sluice serve sluice.yaml
              sluice serve sluice.yaml --listen 8081
              sluice serve sluice.yaml --fixtures all
              sluice serve sluice.yaml --replay recordings

            Under systemd it tells when it is ready, reloading and stopping, and keeps the watchdog content while \
            every event loop answers. Sockets that a socket unit opened take the place of 'listen:'.

            Exit codes: 0 stopped as asked, 1 it could not start or was told twice to stop, 2 the configuration cannot \
            be read, 3 an event loop or a store did not end in time.
            """)

    @OptionGroup var page: PageOption

    @Option(
        help: ArgumentHelp(
            "Listen here in place of 'listen:': a port, 127.0.0.1:8081, [::1]:8081 or unix:/path; may stand several "
                + "times.", valueName: "address"))
    var listen: [ListenAddress] = []

    @Option(
        help: ArgumentHelp(
            "Answer with fixtures instead of asking upstreams: all, or missing where an upstream cannot be reached.",
            valueName: "use"))
    var fixtures: FixtureWord?

    @Option(
        help: ArgumentHelp("Answer with what 'sluice record' has kept in this folder.", valueName: "folder"),
        completion: .directory)
    var replay: String?

    @Option(
        help: ArgumentHelp(
            "What becomes of a request that was not recorded: problem, which shows the nearest, or live.",
            valueName: "way"))
    var replayMissing: ReplayMissing = .problem

    func validate() throws {
        try ServedPage.checkReadable(page.path)
        if fixtures != nil, replay != nil {
            throw ValidationError("--fixtures and --replay both say what answers; give one")
        }
        if replay == nil, replayMissing != .problem {
            throw ValidationError("--replay-missing belongs to --replay")
        }
    }

    func run() throws {
        var source = AnswerSource.upstreams
        if let fixtures { source = .fixtures(fixtures) }
        if let replay { source = .replay(replay, missing: replayMissing) }
        try ServedPage(path: page.path, listen: listen, source: source).run()
    }
}
