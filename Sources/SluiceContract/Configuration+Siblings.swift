extension Configuration {
    /// Bindings that read values out of the same upstream answer and store them: positions in ``bindings``, two or more
    /// in a group. Whoever of a group asks first, asks for all of them.
    public var siblingGroups: [[Int]] {
        var order: [Binding] = []
        var members: [Binding: [Int]] = [:]
        for (index, binding) in bindings.enumerated() {
            guard let resource = binding.sharedResource else { continue }
            if members[resource] == nil { order.append(resource) }
            members[resource, default: []].append(index)
        }
        // Each value is a slice of one plan, which has room for 64.
        return order.compactMap { members[$0] }.filter { $0.count > 1 && $0.count <= Self.siblingsMax }
    }

    /// Bindings of one group at most.
    static let siblingsMax = 16
}

extension Binding {
    /// What makes the upstream request, and what becomes of its answer as a whole, without what is this binding's own
    /// (path, type, freshness, …); nil where the answer serves one binding alone.
    var sharedResource: Binding? {
        guard let cache, value != nil, valueByStatus.isEmpty, keep == nil, !early, holdBytes > 0, answer == .response,
            upgrade == nil, concurrency == nil, methods.isEmpty || methods.contains("GET"),
            (upstreamMethod ?? "GET") == "GET"
        else { return nil }
        var resource = Binding(
            methods: [], path: upstreamPath, upstream: upstream, upstreamMethod: "GET", upstreamPath: upstreamPath)
        resource.parameters = parameters.filter { $0.location != .body }
        resource.unknownParameters = unknownParameters
        resource.sendsBearer = sendsBearer
        resource.headers = headers
        resource.cache = CachePolicy()
        resource.cache?.isPrivate = cache.isPrivate
        // Whether the upstream is told the client's address.
        resource.cache?.vary = cache.variesOnAddress ? ["forwarded"] : []
        resource.passesSetCookie = passesSetCookie
        resource.holdBytes = holdBytes
        resource.reportCount = reportCount
        resource.error = error
        resource.errorByStatus = errorByStatus
        resource.timeout = timeout
        resource.follow = follow
        resource.retry = retry
        resource.hedge = hedge
        return resource
    }
}
