internal import ArgumentParser
internal import SluiceContract
internal import SluiceIO

/// `--config FILE` and `--socket PATH`: whose admin socket is meant.
struct AdminOption: ParsableArguments {
    @OptionGroup var file: ConfigurationOption

    @Option(help: ArgumentHelp("The admin socket, if not where the configuration says.", valueName: "path"))
    var socket: String?

    @Flag(help: "JSON in place of text for people.")
    var json = false

    func client() throws -> AdminClient {
        let path = try socket ?? configured()
        guard let address = SocketAddress(unixPath: path) else {
            throw ValidationError("'\(path)' is too long for the path of a socket")
        }
        return AdminClient(path: path, address: address)
    }

    private func configured() throws -> String {
        guard let path = try file.load().admin else {
            throw Say.failure(
                """
                sluice: \(file.path) has no admin socket; add a line such as
                  admin: /run/sluice/admin.sock
                and reload the daemon, or pass --socket
                """)
        }
        return path
    }
}
