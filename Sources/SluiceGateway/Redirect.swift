internal import SluiceContract
internal import SluiceHTTP

/// A redirect that is followed here: GET and HEAD, to the same scheme, host and port, a few times at most. Everything
/// else goes to the client, because the token goes to its own upstream and nowhere else.
enum Redirect {
    static let followedMax = 5

    static func isFollowed(_ response: borrowing ResponseHead, for exchange: Exchange, _ route: Route) -> Bool {
        guard route.follow == .sameOrigin, exchange.upstreamMethod == .get || exchange.upstreamMethod == .head,
            let fetch = exchange.fetch, fetch.answer.redirects < followedMax, let endpoint = fetch.endpoint
        else { return false }
        return target(of: response, endpoint) != nil
    }

    /// The request target that `Location` names on the endpoint itself (RFC 9110 §10.2.2); nil where it is elsewhere.
    static func target(of response: borrowing ResponseHead, _ endpoint: Endpoint) -> [UInt8]? {
        guard response.fields.count(of: .location) == 1, let index = response.fields.firstIndex(of: .location) else {
            return nil
        }
        return target(of: Array(response.fields.value(index)).prefix { $0 != UInt8(ascii: "#") }, endpoint)
    }

    private static func target(of reference: ArraySlice<UInt8>, _ endpoint: Endpoint) -> [UInt8]? {
        var rest = reference
        guard case .tcp(_, _, let tls) = endpoint.origin else { return path(rest) }
        let scheme = Array((tls ? "https://" : "http://").utf8)
        if rest.starts(with: scheme) {
            let afterScheme = rest.dropFirst(scheme.count)
            guard afterScheme.starts(with: endpoint.authority) else { return nil }
            rest = afterScheme.dropFirst(endpoint.authority.count)
        }
        return path(rest)
    }

    /// A path that begins with one slash and climbs nowhere.
    private static func path(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.first == UInt8(ascii: "/"), text.dropFirst().first != UInt8(ascii: "/") else { return nil }
        let path = Array(text.prefix { $0 != UInt8(ascii: "?") })
        guard path.withUnsafeBytes({ PathCheck($0) }).isDisjoint(with: [.dotSegment, .malformed, .nul, .control]),
            text.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        return Array(text)
    }
}

extension Redirect {
    /// The target on the upstream itself that a reference names, relative to `target`; nil where it is elsewhere.
    static func target(
        named reference: UnsafeRawBufferPointer, from target: UnsafeRawBufferPointer, _ endpoint: Endpoint
    ) -> [UInt8]? {
        let text = Array(reference.prefix { $0 != UInt8(ascii: "#") })
        if text.isEmpty { return Array(target) }
        if let absolute = self.target(of: text[...], endpoint) { return absolute }
        guard text[0] != UInt8(ascii: "/"), !text.contains(UInt8(ascii: ":")) else { return nil }
        // A relative reference: it stands in the place of what follows the last slash (RFC 3986 §5.2.3).
        let before = Array(target.prefix { $0 != UInt8(ascii: "?") })
        if text[0] == UInt8(ascii: "?") { return before + text }
        guard let slash = before.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return path((before[...slash] + text)[...])
    }
}

extension Fetch {
    func follow(_ exchange: Exchange) {
        guard let endpoint, let target = Redirect.target(of: response, endpoint) else { return }
        answer.redirects += 1
        exchange.target.removeAll()
        exchange.target.append(target)
        response.reset()
        restart()
    }

    /// The upstream has accepted what was sent; the client gets it back, without what it was wrapped in.
    func echo(_ exchange: Exchange, _ route: Route) {
        var sent = ByteScratch()
        exchange.body.held.forEachRun { run, _ in sent.append(run) }
        let value = route.wrapOpening.count..<max(route.wrapOpening.count, sent.count - route.wrapClosing.count)
        guard exchange.body.outgoing == .length(sent.count), !value.isEmpty else {
            return fail(Problem(.upstreamTooLarge, detail: "What was sent is too long to be echoed; raise 'hold:'."))
        }
        AnswerFields.prepareExtracted(&response, for: exchange, route, length: value.count)
        exchange.answer(
            status: response.status, reason: response.reason, fields: response.fields, framing: .length(value.count))
        exchange.answerBody(sent.bytes(value), lifetime: .call)
        finish(exchange)
    }
}
