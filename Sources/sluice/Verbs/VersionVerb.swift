internal import ArgumentParser

/// `sluice version`.
struct VersionVerb: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "version", abstract: "Say which version this is and what it was built with.",
        discussion: "Exit codes: 0 printed, 1 the output cannot be written, 64 the command line was not understood.")

    func run() {
        Say.print(Release.text)
    }
}
