internal import SluiceContract

/// A route table with the upstreams it points into, as one event loop uses them. An exchange keeps the generation it
/// began under, so that a reload never sends it by another generation's binding.
public final class Generation {
    public let table: RouteTable
    /// In the order of the table's configuration.
    public let upstreams: [UpstreamRuntime]

    /// Values that requests get from variables and files, in the order of the configuration's ``secrets``.
    var secrets: [TokenVault.Reader]

    init(table: RouteTable, upstreams: [UpstreamRuntime], _ vaults: [String: TokenVault]) {
        self.table = table
        self.upstreams = upstreams
        secrets = table.secrets.map { source in
            TokenVault.Reader(source.vaultName.flatMap { vaults[$0] } ?? TokenVault())
        }
    }
}
