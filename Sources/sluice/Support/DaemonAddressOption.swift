internal import ArgumentParser
internal import SluiceContract

/// `--url URL`: the daemon's address, if not the one in a configuration file.
struct DaemonAddressOption: ParsableArguments {
    @Option(help: "Where the daemon listens, if not where it is configured: http://address:port or unix:/path.")
    var url: String?

    /// The address of `--url`, or else the configured one.
    func address(_ configured: @autoclosure () throws -> LocalAddress?) throws -> LocalAddress {
        if let url {
            guard let address = LocalAddress(url: url) else {
                throw ValidationError("'\(url)' is neither http://address:port nor unix:/path")
            }
            return address
        }
        guard let address = try configured() else {
            throw Say.failure("sluice: the configuration has no address that can be reached; pass --url")
        }
        return address
    }
}
