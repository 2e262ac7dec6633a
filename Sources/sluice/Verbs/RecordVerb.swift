internal import ArgumentParser
internal import SluiceContract
internal import SluiceRules

/// `sluice record`: the daemon, and a file for each exchange with an upstream.
struct RecordVerb: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "record",
        abstract: "Run the gateway and keep its exchanges with upstreams.",
        discussion: """
            Serves as 'sluice serve' does, and writes each exchange with an upstream into a file: what was asked and \
            what was answered, readable, under a name that follows from the request, so that a new recording takes \
            the place of the old one. 'sluice serve --replay FOLDER' answers with them.

            Credentials are left out: fields that carry them, and members of JSON and forms with names such as \
            'token' and 'password', which hold *** then (a PIN that is a number is 0). Requests that differ in these \
            alone are taken for one, which is told: --compare NAME tells them apart. Read what was recorded before \
            you commit it.

              sluice record sluice.yaml --to recordings
              sluice record sluice.yaml --to recordings --without email --without X-Session

            What is in a content coding, larger than --body-max or has no end is not recorded, which is told.

            Exit codes: 0 stopped as asked, 1 it could not start or was told twice to stop, 2 the configuration cannot \
            be read, 3 an event loop or a store did not end in time, 64 the command line was not understood.
            """)

    @OptionGroup var page: PageOption

    @Option(help: ArgumentHelp("The folder.", valueName: "folder"), completion: .directory)
    var to: String

    @Option(help: ArgumentHelp("The largest body that is kept.", valueName: "size"))
    var bodyMax: String = "1MiB"

    @OptionGroup var which: RecordingNameOptions

    @Option(
        help: ArgumentHelp("Listen here in place of 'listen:'; may stand several times.", valueName: "address"))
    var listen: [ListenAddress] = []

    func validate() throws {
        try ServedPage.checkReadable(page.path)
        guard let bytes = Quantity.bytes(bodyMax), (1...Recordings.bodyBytesMax).contains(bytes) else {
            throw ValidationError("--body-max '\(bodyMax)' is no size such as 64KiB, up to 16MiB")
        }
    }

    func run() throws {
        var place = RecordingPlace(folder: to)
        place.bodyBytesMax = Quantity.bytes(bodyMax) ?? place.bodyBytesMax
        place.names = which.names
        try ServedPage(path: page.path, listen: listen, source: .recording(place)).run()
    }
}
