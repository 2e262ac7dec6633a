internal import SluiceContract
internal import SluiceHTTP

/// Says the targets of a `Link` field (RFC 8288 §3) in the gateway's own paths, so that no next page leads around it.
///
/// That can be done for what lies below a binding of `**`, and for what differs from the request in its query alone:
/// the pages of one list. All else stays as it came.
enum LinkTargets {
    /// - Returns: the value with local targets; nil where nothing of it is local.
    static func mapped(
        _ value: UnsafeRawBufferPointer, for request: BoundRequest, _ route: Route, _ endpoint: Endpoint
    ) -> [UInt8]? {
        var result: [UInt8] = []
        var pieces = LinkPieces(value)
        var isMapped = false
        while let (kind, bytes) = pieces.next() {
            let target = UnsafeRawBufferPointer(rebasing: bytes.dropFirst().dropLast())
            if kind == .target, let local = local(target, for: request, route, endpoint) {
                isMapped = true
                result += [UInt8(ascii: "<")] + local + [UInt8(ascii: ">")]
            } else {
                result += bytes
            }
        }
        return isMapped ? result : nil
    }

    /// The local target of a reference; nil where there is none.
    private static func local(
        _ reference: UnsafeRawBufferPointer, for request: BoundRequest, _ route: Route, _ endpoint: Endpoint
    ) -> [UInt8]? {
        if let map = route.locationMap {
            return map.local(
                reference, of: endpoint.origin, authority: endpoint.authority, client: request.head.authority)
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

    /// Parameters by the names that clients know, without those that no client can set.
    private static func localQuery(_ query: [UInt8], _ route: Route) -> [UInt8] {
        var pairs: [[UInt8]] = []
        for pair in query.split(separator: UInt8(ascii: "&")) {
            let raw = pair.prefix { $0 != UInt8(ascii: "=") }
            let decoded = Array(raw).withUnsafeBytes { PercentEncoding.decoded($0, plusIsSpace: true) }
            guard let name = decoded else { continue }
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
