/// A route table with the upstreams it points into, as one event loop uses them. An exchange keeps the generation it
/// began under, so that a reload never sends it by another generation's binding.
public final class Generation {
    public let table: RouteTable
    /// In the order of the table's configuration.
    public let upstreams: [UpstreamRuntime]
    /// In the order of ``RouteTable/credentials``.
    let credentials: [CredentialRuntime]

    init(table: RouteTable, upstreams: [UpstreamRuntime], credentials: [CredentialRuntime]) {
        self.table = table
        self.upstreams = upstreams
        self.credentials = credentials
    }
}
