internal import ArgumentParser
internal import SluiceContract

/// `--config FILE` and `--url URL`: which daemon is meant.
struct DaemonAddressOption: ParsableArguments {
    @OptionGroup var file: ConfigurationOption

    @Option(help: "Where the daemon listens, if not where it is configured: http://address:port or unix:/path.")
    var url: String?

    /// Where `--url` says, if it says anything.
    func given() throws -> LocalAddress? {
        guard let url else { return nil }
        guard let address = LocalAddress(url: url) else {
            throw ValidationError("'\(url)' is neither http://address:port nor unix:/path")
        }
        return address
    }

    /// Where `--url` says, or else the configuration.
    func address(_ configuration: @autoclosure () throws -> SluiceContract.Configuration) throws -> LocalAddress {
        if let given = try given() { return given }
        guard let address = LocalAddress(try configuration()) else {
            throw Say.failure("sluice: the configuration has no address that can be reached; pass --url")
        }
        return address
    }
}
