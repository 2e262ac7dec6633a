internal import SluiceContract
internal import SluiceHTTP

/// A redirect that the gateway follows itself: GET and HEAD, to the same scheme, host and port, a few times at most.
/// All others go to the client, because the token may be sent to its own upstream only.
enum Redirect {
    static let followedMax = 5

    static func isFollowed(
        _ response: borrowing ResponseHead, to request: BoundRequest, _ endpoint: Endpoint
    ) -> Bool {
        let method = request.upstreamMethod
        return (method == .get || method == .head) && target(of: response, for: request, endpoint) != nil
    }

    /// The request target that `Location` names on the same endpoint (RFC 9110 §10.2.2); nil where it points elsewhere.
    static func target(of response: borrowing ResponseHead, for request: BoundRequest, _ endpoint: Endpoint) -> [UInt8]?
    {
        guard response.fields.count(of: .location) == 1, let index = response.fields.firstIndex(of: .location) else {
            return nil
        }
        return target(named: response.fields.value(index), for: request, endpoint)
    }

    /// The request target on the same endpoint for a reference found in the answer to `request`; nil where it points
    /// elsewhere. The upstream may name itself by its address or by the `Host` it was sent.
    static func target(
        named reference: UnsafeRawBufferPointer, for request: BoundRequest, _ endpoint: Endpoint
    ) -> [UInt8]? {
        let host =
            switch endpoint.settings.host {
            case .upstream: endpoint.authority
            case .client: Array(request.head.authority)
            case .fixed(let name): Array(name.utf8)
            }
        let scheme = Array((endpoint.isSecure ? "https" : "http").utf8)
        let asked = request.target.bytes
        let pathEnd = asked.firstIndex(of: UInt8(ascii: "?")) ?? asked.count
        let base = URIReference(
            scheme: scheme, authority: host, path: Array(asked[..<pathEnd]),
            query: pathEnd < asked.count ? Array(asked[(pathEnd + 1)...]) : nil)
        let target = URIReference(reference).resolved(against: base)
        guard target.scheme?.withUnsafeBytes({ $0.equalsIgnoringCase(scheme) }) == true,
            let authority = target.authority,
            [host, endpoint.authority].contains(where: { isSame(authority, $0, isSecure: endpoint.isSecure) })
        else { return nil }
        return target.originForm
    }

    /// Whether both are the same host and port; a missing port is the scheme's default (RFC 9110 §4.2.3).
    private static func isSame(_ one: [UInt8], _ other: [UInt8], isSecure: Bool) -> Bool {
        one.withUnsafeBytes { one in
            other.withUnsafeBytes { other in
                guard let one = HostField(one), let other = HostField(other) else { return false }
                let usual = isSecure ? 443 : 80
                return one.host.equalsIgnoringCase(Array(other.host)) && one.port ?? usual == other.port ?? usual
            }
        }
    }
}
