internal import ArgumentParser

/// `sluice version`.
struct VersionVerb: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "version", abstract: "Say which version this is and what it was built with.")

    func run() {
        Say.print(Release.text)
    }
}
