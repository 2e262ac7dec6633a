internal import ArgumentParser
internal import SluiceConfig
internal import SluiceContract
internal import SluiceIO

/// `--config FILE` and `--socket PATH`: they select the admin socket.
struct AdminOption: ParsableArguments {
    @OptionGroup var file: ConfigurationOption

    @Option(help: ArgumentHelp("The admin socket, if not where the configuration says.", valueName: "path"))
    var socket: String?

    @Flag(help: "JSON in place of text for people.")
    var json = false

    func client() throws -> AdminClient {
        try AdminClient(path: try socket ?? AdminClient.path(in: ConfigurationFile(file.path, secrets: .ignored)))
    }
}
