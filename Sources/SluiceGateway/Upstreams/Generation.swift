internal import SluiceContract

/// A route table with the upstreams it points into, as one event loop uses them. An exchange keeps the generation it
/// began under, so that a reload never sends it by another generation's binding.
public final class Generation {
    public let table: RouteTable
    /// In the order of the table's configuration.
    public let upstreams: [UpstreamRuntime]
    /// In the order of ``RouteTable/credentials``.
    let credentials: [CredentialRuntime]

    /// Values that requests get from variables and files, in the order of the configuration's ``secrets``.
    var secrets: [CredentialVault.Reader]

    /// What this loop counts of each route, by its position.
    private let routeCells: UnsafeMutableBufferPointer<CounterSlab>

    init(
        table: RouteTable, upstreams: [UpstreamRuntime], credentials: [CredentialRuntime],
        _ vaults: [String: CredentialVault], routeCells: [CounterSlab]
    ) {
        precondition(routeCells.count == table.routes.count)
        self.routeCells = .allocate(capacity: routeCells.count)
        _ = self.routeCells.initialize(from: routeCells)
        self.table = table
        self.upstreams = upstreams
        self.credentials = credentials
        secrets = table.secrets.map { source in
            CredentialVault.Reader(source.vaultName.flatMap { vaults[$0] } ?? CredentialVault())
        }
    }
    deinit { routeCells.deallocate() }

    /// What this loop counts of a route.
    @inline(__always)
    func cells(of route: Route) -> CounterSlab { routeCells[route.position] }
}
