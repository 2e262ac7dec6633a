/// The resources of one gateway: one object for each address and type.
public final class ResourceService: Sendable {
    private struct Key: Hashable {
        let address: ResourceAddress
        let type: ObjectIdentifier
    }

    private struct Entry: Sendable {
        weak let resource: (any SharedResource)?
    }

    private struct Whole {
        var entries: [Key: Entry] = [:]
        /// At how many entries those of resources that are gone are looked for: twice what was left the last time.
        var sweepAt = 64
        /// The latest ones, which stay though they are not in use.
        var kept: [(key: Key, resource: any SharedResource)] = []

        mutating func sweepIfDue() {
            guard entries.count >= sweepAt else { return }
            entries = entries.filter { $0.value.resource != nil }
            sweepAt = max(64, entries.count * 2)
        }
    }

    private let whole = Locked(Whole())
    private let ownClient: GatewayClient?
    private let freshness: ResourceFreshness
    private let keptMax: Int
    private let now: @Sendable () -> ContinuousClock.Instant

    /// - Parameters:
    ///   - client: The gateway to ask; by default the one that goes for the task or the program at each load.
    ///   - freshness: How long content and errors stay good.
    ///   - keptMax: How many resources, the latest ones, keep their content while they are not in use.
    ///   - now: The clock by which content ages.
    public init(
        client: GatewayClient? = nil, freshness: ResourceFreshness = ResourceFreshness(), keptMax: Int = 100,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        ownClient = client
        self.freshness = freshness
        self.keptMax = keptMax
        self.now = now
    }

    /// What is at a path, with or without a query behind it.
    public func resource(_ path: String) -> Resource {
        Resource(address: ResourceAddress(path), service: self)
    }

    /// Lets resources be asked for again at the next occasion.
    public func invalidate(where isMeant: (ResourceAddress) -> Bool = { _ in true }) {
        for resource in resources(where: isMeant) { resource.invalidate() }
    }

    /// Gives up the content of resources, for example after a sign-out.
    public func wipe(where isMeant: (ResourceAddress) -> Bool = { _ in true }) {
        for resource in resources(where: isMeant) { resource.wipe() }
    }

    func client() throws(CallError) -> GatewayClient {
        if let ownClient { ownClient } else { try GatewayClient.current() }
    }

    func typed<Content: Decodable & Sendable>(
        _ address: ResourceAddress, _ type: Content.Type
    ) -> TypedResource<Content> {
        let key = Key(address: address, type: ObjectIdentifier(type))
        let (resource, forgotten) = whole.withLock { whole in
            let known = whole.entries[key]?.resource as? TypedResource<Content>
            let resource = known ?? TypedResource(loader(for: address), freshness, now: now)
            if known == nil {
                whole.sweepIfDue()
                whole.entries[key] = Entry(resource: resource)
            }
            whole.kept.removeAll { $0.key == key }
            whole.kept.append((key, resource))
            return (resource, whole.kept.count > keptMax ? whole.kept.removeFirst().resource : nil)
        }
        // Released without the lock: content may have an end of its own.
        withExtendedLifetime(forgotten) {}
        return resource
    }

    func request(
        _ method: HTTPMethod, _ content: RequestContent?, at address: ResourceAddress, _ effect: RequestEffect
    ) async throws(CallError) -> WholeAnswer {
        try address.check()
        var call = Call(method, address.path, query: address.query)
        if let content { call.attach(content) }
        let sent = call
        let touched = resources { $0 == address }
        let client = try client()
        return try await Self.tracked(touched[...], effect) { () async throws(CallError) in
            try await client.success(of: sent)
        }
    }

    /// Lets every resource at an address show that a request is on its way, one within the other.
    private static func tracked(
        _ resources: ArraySlice<any SharedResource>, _ effect: RequestEffect,
        _ run: () async throws(CallError) -> WholeAnswer
    ) async throws(CallError) -> WholeAnswer {
        guard let first = resources.first else { return try await run() }
        return try await first.whileRequesting(effect) { () async throws(CallError) in
            try await tracked(resources.dropFirst(), effect, run)
        }
    }

    private func resources(where isMeant: (ResourceAddress) -> Bool) -> [any SharedResource] {
        // The question is the program's, which may ask for resources itself: not under the lock.
        whole.withLock { $0.entries }.filter { isMeant($0.key.address) }.compactMap(\.value.resource)
    }

    private func loader<Content: Decodable & Sendable>(for address: ResourceAddress) -> ResourceLoader<Content> {
        ResourceLoader { [ownClient, now] (load, tell) async throws(CallError) in
            let client = if let ownClient { ownClient } else { try GatewayClient.current() }
            return try await ResourceCall(address: address, client: client, now: now).outcome(of: load, tell)
        }
    }
}

/// A resource, for code that does not know its type.
protocol SharedResource: AnyObject, Sendable {
    func invalidate()
    func wipe()
    func whileRequesting(
        _ effect: RequestEffect, _ run: () async throws(CallError) -> WholeAnswer
    ) async throws(CallError) -> WholeAnswer
}

extension TypedResource: SharedResource {
    func whileRequesting(
        _ effect: RequestEffect, _ run: () async throws(CallError) -> WholeAnswer
    ) async throws(CallError) -> WholeAnswer {
        try await tracked(effect, run)
    }
}

extension ResourceService: Hashable {
    public static func == (one: ResourceService, other: ResourceService) -> Bool { one === other }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
