internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// An exchange of the cache's own: it asks the upstream what a client asked, and its answer goes into a ``Filling``.
extension Exchange {
    /// Whether it asks for the cache and not for one client.
    var isFill: Bool { filling != nil }

    /// Takes over what `client` wants of the upstream; the walk begins with `.enter`.
    func prepareFill(_ client: Exchange, _ route: Route) {
        generation = client.generation
        borrowedRoute = Borrowed(route)
        request.copy(client.request)
        admission.client = client.admission.client
        if request.method == .head { "GET".utf8.withContiguousStorageIfAvailable { request.set(method: .init($0)) } }
        body.isComplete = true
        path.append(client.path.bytes)
        target.append(client.target.bytes)
        found = client.found
        values.copy(client.values)
    }
}
