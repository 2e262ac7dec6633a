internal import ArgumentParser
internal import SluiceContract

/// `--url URL`: which daemon is meant, where it is not the one that a configuration file tells of.
struct DaemonAddressOption: ParsableArguments {
    @Option(help: "Where the daemon listens, if not where it is configured: http://address:port or unix:/path.")
    var url: String?

    /// Where `--url` says, or else what `configured` finds.
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
