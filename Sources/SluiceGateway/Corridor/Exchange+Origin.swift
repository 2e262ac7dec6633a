internal import SluiceContract
internal import SluiceHTTP

/// A browser asks on behalf of a page, and anybody's page can ask for localhost. What is not of the page's own origin
/// is refused, unless `cors:` lets that origin in (Fetch standard §3.2, CORS protocol).
extension Exchange {
    /// The method whose preflight this request is (Fetch §4.8); empty where it is none.
    var preflightMethod: UnsafeRawBufferPointer {
        guard request.head.method == .options, request.head.fields.firstIndex(of: .origin) != nil,
            let index = request.head.fields.firstIndex(of: .accessControlRequestMethod)
        else { return .empty }
        return request.head.fields.value(index)
    }

    /// - Parameters:
    ///   - origin: place of `Origin`, negative where there is none.
    ///   - fetchSite: place of `Sec-Fetch-Site`, likewise.
    /// - Returns: nil where the request may go on.
    func checkOrigin(_ origin: Int, fetchSite: Int, _ route: Route) -> Step? {
        let rule = route.crossOrigin
        if let rule, rule.dependsOnOrigin { ownFields.append(.vary, "Origin") }
        guard origin >= 0 else {
            // A page that embeds or links here sends no Origin, and may be anybody's.
            return isForeign(fetchSite) && rule?.isOpen != true ? refused(crossOrigin("a page of another origin")) : nil
        }
        let value = request.head.fields.value(origin)
        let isPreflight = admission.marks.contains(.preflight)
        guard request.head.fields.count(of: .origin) == 1 else { return refused(crossOrigin("a page of two origins")) }
        if let rule, rule.allows(value) {
            rule.write(origin: value, into: &ownFields)
            return isPreflight ? answerPreflight(rule) : nil
        }
        guard isOwn(value), !isForeign(fetchSite), !isPreflight else {
            return refused(crossOrigin("'\(String(decoding: value.prefix(100), as: UTF8.self))'"))
        }
        return nil
    }

    /// Whether a browser says that the page is of another origin. A site is more than an origin: whatever listens on
    /// another port of localhost is of the same site (Fetch Metadata §2.3). What nobody knows yet says nothing.
    private func isForeign(_ fetchSite: Int) -> Bool {
        guard fetchSite >= 0 else { return false }
        let site = request.head.fields.value(fetchSite)
        return site.equalsIgnoringCase("cross-site") || site.equalsIgnoringCase("same-site")
    }

    private func crossOrigin(_ who: String) -> Problem {
        Problem(
            .crossOrigin,
            detail: "A browser asks for \(who); 'cors: {origins: […]}' of the binding says which origins may.")
    }

    /// Whether the page was served from here: scheme, host and port are those of the request (RFC 6454 §5).
    private func isOwn(_ origin: UnsafeRawBufferPointer) -> Bool {
        let isTLS = request.client?.isTLS == true
        let scheme = Array((isTLS ? "https://" : "http://").utf8)
        guard origin.count > scheme.count,
            UnsafeRawBufferPointer(rebasing: origin[..<scheme.count]).equalsIgnoringCase(scheme)
        else { return false }
        let usual = Array((isTLS ? ":443" : ":80").utf8)
        func host(_ authority: UnsafeRawBufferPointer) -> ArraySlice<UInt8> {
            let bytes = Array(authority)
            return bytes.suffix(usual.count) == usual[...] ? bytes.dropLast(usual.count) : bytes[...]
        }
        let own = Array(host(request.head.authority))
        let asked = Array(host(UnsafeRawBufferPointer(rebasing: origin[scheme.count...])))
        return own.withUnsafeBytes { $0.equalsIgnoringCase(asked) }
    }

    /// Answered here, from the route table; the upstream hears of the request itself alone (Fetch §3.2.3).
    private func answerPreflight(_ rule: CrossOriginRule) -> Step {
        var methods = request.generation.table.trie.methods(for: request.path.bytes)
        let asked = String(decoding: preflightMethod, as: UTF8.self)
        if !methods.contains(asked) { methods.append(asked) }
        ownFields.append(.accessControlAllowMethods, text: methods.joined(separator: ", "))
        ownFields.append(.vary, "Access-Control-Request-Method, Access-Control-Request-Headers")
        rule.writePreflight(of: request.head.fields, into: &ownFields)
        var fields = HeaderBlock()
        loop.date.withUnsafeBytes { fields.append(.date, value: $0) }
        answer(status: 204, reason: .empty, fields: fields, framing: .empty(announcing: nil))
        answerEnd()
        return .rest
    }
}
