internal import ArgumentParser

/// `sluice version`.
struct VersionVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version", abstract: "Say which version this is and what it was built with.")

    func run() {
        print(
            """
            sluice \(Release.version)
            Swift \(Release.compiler), \(Release.build) build for \(Release.architecture) with \(Release.library)
            \(Release.openSSL)
            """)
    }
}
