import SluiceContract

/// `url:` of an upstream: one, or a list of endpoints that serve the same.
enum EndpointList {
    static func read(_ node: SourceNode, _ desk: Desk, into upstream: inout Upstream) {
        let nodes = desk.items(node)
        guard !nodes.isEmpty else {
            desk.findings.mistake(at: node.place, "the list is empty", expected: "a URL at least")
            return
        }
        if nodes.count > Upstream.endpointsMax {
            desk.findings.mistake(
                at: node.place, "\(nodes.count) endpoints are too many", expected: "at most \(Upstream.endpointsMax)")
            return
        }
        var isFirst = true
        for node in nodes {
            guard let read = OriginURL.read(node, desk) else { continue }
            if isFirst {
                upstream.origin = read.origin
                upstream.basePath = read.basePath
                isFirst = false
                continue
            }
            if let difference = difference(read, upstream) {
                desk.findings.mistake(
                    at: node.place, difference, expected: "endpoints that differ in host and port only")
            } else if upstream.endpoints.contains(read.origin) {
                desk.findings.mistake(at: node.place, "this endpoint stands twice", expected: "each endpoint once")
            } else {
                upstream.alternates.append(read.origin)
            }
        }
    }

    /// Requests are written once for all endpoints, and a token that goes out encrypted does so always.
    private static func difference(
        _ read: (origin: Upstream.Origin, basePath: String), _ upstream: Upstream
    ) -> String? {
        if read.basePath != upstream.basePath {
            return "the base path '\(read.basePath)' is not that of the first endpoint, '\(upstream.basePath)'"
        }
        switch (read.origin, upstream.origin) {
        case (.tcp(_, _, let own), .tcp(_, _, let first)) where own != first:
            return "the scheme is not that of the first endpoint"
        case (.unix, .tcp(_, _, tls: true)), (.tcp(_, _, tls: true), .unix):
            return "the scheme is not that of the first endpoint"
        default: return nil
        }
    }
}
