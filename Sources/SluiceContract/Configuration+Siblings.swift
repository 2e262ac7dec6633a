extension Configuration {
    /// Bindings that read values out of the same upstream answer and store them: positions in ``bindings``, two or more
    /// in a group. The first request for one binding of a group fetches the answer for all of them.
    public var siblingGroups: [[Int]] {
        var order: [Binding] = []
        var members: [Binding: [Int]] = [:]
        let types = NamedTypes(self.types)
        let reporting = Set(upstreams.lazy.filter { $0.reportedError.isActive }.map(\.name))
        for (index, binding) in bindings.enumerated() {
            // Whether such an answer is an error is each binding's own affair.
            let reports = binding.reportedError?.isActive ?? reporting.contains(binding.upstream)
            guard !reports, let resource = binding.sharedResource else { continue }
            // What comes of the head is put into one value as it begins.
            if binding.value.map({ types.headFields(of: $0) })?.isEmpty == false { continue }
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
    /// The binding without what is its own; those with the same rest share one upstream request. nil where the answer
    /// serves one binding alone.
    ///
    /// Whatever is not known to be a binding's own makes a difference: so a setting that was forgotten here keeps two
    /// bindings apart, and no answer goes to one that it was not made for.
    var sharedResource: Binding? {
        guard cache != nil, value != nil, valueByStatus.isEmpty, keep == nil, pages == nil, rows == nil, !early,
            holdBytes > 0, answer == .response, upgrade == nil, concurrency == nil, graphQL == nil, localURLs.isEmpty,
            composition == nil, onDrift != .pass,
            fixture == nil, fixtures.isEmpty,
            methods.isEmpty || methods.contains("GET"),
            (upstreamMethod ?? "GET") == "GET"
        else { return nil }
        var resource = self
        for property in Self.ownProperties { property.clear(&resource) }
        return resource
    }

    /// A property of which bindings with one upstream request may each have their own.
    public struct OwnProperty: Sendable {
        public let path: PartialKeyPath<Binding> & Sendable
        /// Why neither the request nor what becomes of its answer as a whole depends on it.
        public let reason: String
        /// Takes out of it what is the binding's own.
        let clear: @Sendable (inout Binding) -> Void

        init<Value>(
            _ path: WritableKeyPath<Binding, Value> & Sendable, _ reason: String,
            _ clear: @escaping @Sendable (inout Value) -> Void
        ) {
            self.path = path
            self.reason = reason
            self.clear = { clear(&$0[keyPath: path]) }
        }
    }

    /// All that siblings may differ in. What is missing here is not lost: it keeps them apart.
    public static let ownProperties: [OwnProperty] = [
        OwnProperty(\.methods, "each is asked for by GET, whatever else its route takes") { $0 = [] },
        OwnProperty(\.path, "the upstream is asked by the path of 'to:'") {
            $0 = PathTemplate(segments: [], hasRest: false)
        },
        OwnProperty(\.upstreamMethod, "it is GET, said or not") { $0 = nil },
        OwnProperty(\.parameters, "a GET has no body, so parameters in one are not sent") { parameters in
            parameters.removeAll { $0.location == .body }
        },
        OwnProperty(\.bodyBytesMax, "a GET has no body") { $0 = nil },
        OwnProperty(\.parent, "each value is cut out of the document by a slice of its own") { $0 = nil },
        OwnProperty(\.value, "each slice has its own type") { $0 = .scalar(.json) },
        OwnProperty(\.unknownKeys, "each slice has its own rule for other keys") { $0 = .pass },
        OwnProperty(\.keys, "each slice renames its own keys") { $0 = .verbatim },
        OwnProperty(\.defaultJSON, "each stands in for its own value") { $0 = nil },
        OwnProperty(\.serve, "what is answered instead is decided for each request of a client") { $0 = [] },
        OwnProperty(\.drift, "an answer is looked at beside what goes out of it") { $0 = nil },
        OwnProperty(\.onDrift, "what is answered instead is decided for each request of a client") { $0 = .fail },
        OwnProperty(\.patience, "how long a client waits is decided for each request of a client") {
            $0 = .milliseconds(300)
        },
        OwnProperty(\.cache, "how long a value is kept, and by which key, is decided when it is stored") { cache in
            var rest = CachePolicy()
            rest.isPrivate = cache?.isPrivate ?? false
            // Whether the upstream is told the client's address.
            rest.vary = cache?.variesOnAddress == true ? ["forwarded"] : []
            cache = rest
        },
        OwnProperty(\.setCookie, "a stored answer's cookies are kept or left out when it is stored") { choice in
            if choice == .store { choice = .pass }
        },
        OwnProperty(\.compression, "an answer is compressed on its way to each client") { $0 = nil },
        OwnProperty(\.crossOrigin, "pages are admitted before anything is asked for") { $0 = nil },
        OwnProperty(\.grants, "clients are admitted before anything is asked for") { $0 = nil },
        OwnProperty(\.rate, "requests are counted before anything is asked for") { $0 = nil },
        OwnProperty(\.watch, "what is watched is asked for as by any client, and told of afterwards") { $0 = nil },
    ]
}
