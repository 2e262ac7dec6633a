internal import SluiceContract
internal import SluiceHTTP

/// Maps the targets of a `Link` field (RFC 8288 §3) to the gateway's own paths, so that a next page is fetched through
/// the gateway, too.
///
/// That is possible for targets below a binding of `**`, and for those that differ from the request in the query alone:
/// the pages of one list. All others stay as they came.
enum LinkTargets {
    /// - Returns: the value with local targets; nil where none of them is local.
    static func mapped(
        _ value: UnsafeRawBufferPointer, for request: BoundRequest, _ route: Route, _ endpoint: Endpoint
    ) -> [UInt8]? {
        var result: [UInt8] = []
        var pieces = LinkPieces(value)
        var isMapped = false
        while let (kind, bytes) = pieces.next() {
            let target = UnsafeRawBufferPointer(rebasing: bytes.dropFirst().dropLast())
            if kind == .target,
                let local = local(target, for: request, route, endpoint)
                    ?? withoutSecrets(target, for: request, route, endpoint)
            {
                isMapped = true
                result += [UInt8(ascii: "<")] + local + [UInt8(ascii: ">")]
            } else {
                result += bytes
            }
        }
        return isMapped ? result : nil
    }

    /// The local target of a reference; nil where there is none.
    static func local(
        _ reference: UnsafeRawBufferPointer, for request: BoundRequest, _ route: Route, _ endpoint: Endpoint
    ) -> [UInt8]? {
        if let map = route.locationMap {
            let local = map.local(
                reference, of: endpoint.origin, authority: endpoint.authority, client: request.head.authority)
            return local.map { withoutSecrets($0, route) ?? $0 }
        }
        guard !request.isUpgrading, route.graphQL == nil,
            let target = Redirect.target(named: reference, for: request, endpoint)
        else { return nil }
        let mark = UInt8(ascii: "?")
        let path = target.prefix { $0 != mark }
        var isSame = false
        request.withTarget(route) { isSame = $0.prefix { $0 != mark }.elementsEqual(path) }
        guard isSame else { return nil }
        let query = localQuery(Array(target[path.endIndex...].dropFirst()), route)
        return Array(request.head.path) + (query.isEmpty ? [] : [mark] + query)
    }

    /// A reference to another place of the upstream, without parameters that only the gateway adds: an API that repeats
    /// the query would reveal a key. nil where it has no such parameter.
    static func withoutSecrets(
        _ reference: UnsafeRawBufferPointer, for request: BoundRequest, _ route: Route, _ endpoint: Endpoint
    ) -> [UInt8]? {
        guard let cleaned = withoutSecrets(Array(reference), route),
            Redirect.target(named: reference, for: request, endpoint) != nil || isOnHost(of: endpoint, cleaned)
        else { return nil }
        return cleaned
    }

    /// Whether a reference names the upstream's host, whatever its scheme and port: behind a TLS terminator many APIs
    /// write `http://` in their own URLs.
    private static func isOnHost(of endpoint: Endpoint, _ reference: [UInt8]) -> Bool {
        guard let slashes = reference.firstRange(of: "//".utf8) else { return false }
        let ends: [UInt8] = [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")]
        let authority = reference[slashes.upperBound...].prefix { !ends.contains($0) }
        let host = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[($0 + 1)...] } ?? authority
        return name(of: host).elementsEqual(name(of: endpoint.authority[...]))
    }

    /// The name in `host[:port]`, in lower case.
    private static func name(of host: ArraySlice<UInt8>) -> [UInt8] {
        let bracket = host.lastIndex(of: UInt8(ascii: "]"))
        let colon = host.lastIndex(of: UInt8(ascii: ":")).flatMap { $0 > bracket ?? -1 ? $0 : nil }
        return host[..<(colon ?? host.endIndex)].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }

    static func withoutSecrets(_ reference: [UInt8], _ route: Route) -> [UInt8]? {
        guard route.hasFixedParameters, let mark = reference.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        let end = reference.firstIndex(of: UInt8(ascii: "#")) ?? reference.endIndex
        guard mark < end else { return nil }
        let pairs = reference[(mark + 1)..<end].split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        let kept = pairs.filter { pair in
            parameter(of: pair).map { !isGateways($0, route) } ?? true
        }
        if kept.count == pairs.count { return nil }
        let query = kept.isEmpty ? [] : [UInt8(ascii: "?")] + kept.joined(separator: [UInt8(ascii: "&")])
        return Array(reference[..<mark]) + query + reference[end...]
    }

    /// Turns a target that an upstream has named into the request's target: without the parameters that the gateway
    /// sets itself. The credential is added again when the head is written, as are values from variables and files.
    static func asked(_ target: [UInt8], _ route: Route) -> [UInt8] {
        let (mark, and, equals) = (UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "="))
        guard route.hasFixedParameters, let start = target.firstIndex(of: mark) else { return target }
        let pairs = target[(start + 1)...].split(separator: and, omittingEmptySubsequences: false)
        var kept: [[UInt8]] = []
        for pair in pairs {
            let name = parameter(of: pair)
            if let name, route.credentials.parameters.contains(name) { continue }
            let secret = route.parameters.first {
                $0.marker != nil && $0.location == .query && $0.fieldName == name
            }
            if let marker = secret?.marker {
                kept.append(Array(pair.prefix { $0 != equals }) + [equals, marker])
            } else {
                kept.append(Array(pair))
            }
        }
        let query = kept.isEmpty ? [] : [mark] + kept.joined(separator: [and])
        return Array(target[..<start]) + query
    }

    private static func parameter(of pair: ArraySlice<UInt8>) -> [UInt8]? {
        let raw = Array(pair.prefix { $0 != UInt8(ascii: "=") })
        return raw.withUnsafeBytes { PercentEncoding.decoded($0, plusIsSpace: true) }
    }

    /// Whether the gateway sets this query parameter, and no client does.
    private static func isGateways(_ name: [UInt8], _ route: Route) -> Bool {
        route.credentials.parameters.contains(name)
            || route.parameters.contains { $0.isFixed && $0.location == .query && $0.fieldName == name }
    }

    /// The query with parameters under the names that clients use, without those that no client can set.
    private static func localQuery(_ query: [UInt8], _ route: Route) -> [UInt8] {
        var pairs: [[UInt8]] = []
        for pair in query.split(separator: UInt8(ascii: "&")) {
            let raw = pair.prefix { $0 != UInt8(ascii: "=") }
            guard let name = parameter(of: pair), !isGateways(name, route) else { continue }
            let bare = name.prefix { $0 != UInt8(ascii: "[") }
            let parameter = route.parameters.first {
                $0.location == .query && ($0.fieldName.elementsEqual(name) || $0.fieldName.elementsEqual(bare))
            }
            guard let parameter else {
                pairs.append(Array(pair))
                continue
            }
            if parameter.isFixed { continue }
            let index = name.count > parameter.fieldName.count ? Array("[]".utf8) : []
            pairs.append(PercentEncoding.encoded(parameter.nameBytes) + index + pair[raw.endIndex...])
        }
        return Array(pairs.joined(separator: [UInt8(ascii: "&")]))
    }
}
