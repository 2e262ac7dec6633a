internal import ArgumentParser

extension CommandConfiguration {
    /// A verb without verbs of its own. ``Sluice/main()`` tries to parse it by itself: what has a command above it is
    /// not looked at for completion scripts.
    static func verb(_ name: String, abstract: String, discussion: String = "") -> Self {
        CommandConfiguration(
            commandName: name, _superCommandName: "sluice", abstract: abstract, discussion: discussion)
    }
}
