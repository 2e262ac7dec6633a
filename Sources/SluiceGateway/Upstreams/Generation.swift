internal import SluiceContract

/// A route table with its upstreams, on one event loop. An exchange keeps the generation it began under, so that a
/// reload never mixes bindings of two generations.
public final class Generation {
    public let table: RouteTable
    /// The same for the request path: all loops share the table, and its count would be in all their caches. Kept alive
    /// by `table`.
    let borrowedTable: Borrowed<RouteTable>
    /// In the order of the table's configuration.
    public let upstreams: [UpstreamRuntime]
    /// In the order of ``RouteTable/credentials``.
    let credentials: [CredentialRuntime]

    /// Readers of values from variables and files, in the order of the configuration's ``secrets``.
    var secrets: [CredentialVault.Reader]

    /// This loop's counters of each route, by its position.
    private let routeCells: UnsafeMutableBufferPointer<CounterSlab>

    init(
        table: RouteTable, upstreams: [UpstreamRuntime], credentials: [CredentialRuntime],
        _ vaults: [String: CredentialVault], routeCells: [CounterSlab]
    ) {
        precondition(routeCells.count == table.routes.count)
        self.routeCells = .allocate(capacity: routeCells.count)
        _ = self.routeCells.initialize(from: routeCells)
        self.table = table
        borrowedTable = Borrowed(table)
        self.upstreams = upstreams
        self.credentials = credentials
        secrets = table.secrets.map { source in
            CredentialVault.Reader(source.vaultName.flatMap { vaults[$0] } ?? CredentialVault())
        }
    }
    deinit { routeCells.deallocate() }

    /// This loop's counters of a route.
    @inline(__always)
    func cells(of route: Route) -> CounterSlab { routeCells[route.position] }
}
