internal import SluiceContract
internal import SluiceHTTP

/// A browser asks on behalf of a page, and anybody's page can ask for localhost. What is not of the page's own origin
/// is refused, unless `cors:` lets that origin in (Fetch standard §3.2, CORS protocol).
extension BoundRequest {
    /// The method whose preflight this request is (Fetch §4.8); empty where it is none.
    var preflightMethod: UnsafeRawBufferPointer {
        guard head.method == .options, head.fields.firstIndex(of: .origin) != nil,
            let index = head.fields.firstIndex(of: .accessControlRequestMethod)
        else { return .empty }
        return head.fields.value(index)
    }

    /// - Parameters:
    ///   - origin: place of `Origin`, negative where there is none.
    ///   - fetchSite: place of `Sec-Fetch-Site`, likewise.
    ///   - own: where the answer's fields for the page go.
    func checkOrigin(
        _ origin: Int, fetchSite: Int, _ route: Route, telling own: inout HeaderBlock
    ) -> OriginVerdict {
        let rule = route.crossOrigin
        if let rule, rule.dependsOnOrigin { own.append(.vary, "Origin") }
        guard origin >= 0 else {
            // A page that embeds or links here sends no Origin, and may be anybody's.
            return isForeign(fetchSite) && rule?.isOpen != true ? crossOrigin("a page of another origin") : .admitted
        }
        let value = head.fields.value(origin)
        guard head.fields.count(of: .origin) == 1 else { return crossOrigin("a page of two origins") }
        if let rule, rule.allows(value) {
            rule.write(origin: value, into: &own)
            return isPreflight ? .preflight(rule) : .admitted
        }
        guard isOwn(value), !isForeign(fetchSite), !isPreflight else {
            return crossOrigin("'\(String(decoding: value.prefix(100), as: UTF8.self))'")
        }
        return .admitted
    }

    /// Whether a browser says that the page is of another origin. A site is more than an origin: whatever listens on
    /// another port of localhost is of the same site (Fetch Metadata §2.3). What nobody knows yet says nothing.
    private func isForeign(_ fetchSite: Int) -> Bool {
        guard fetchSite >= 0 else { return false }
        let site = head.fields.value(fetchSite)
        return site.equalsIgnoringCase("cross-site") || site.equalsIgnoringCase("same-site")
    }

    private func crossOrigin(_ who: String) -> OriginVerdict {
        .refused(
            Problem(
                .crossOrigin,
                detail: "A browser asks for \(who); 'cors: {origins: […]}' of the binding says which origins may."))
    }

    /// Whether the page was served from here: scheme, host and port are those of the request (RFC 6454 §5).
    private func isOwn(_ origin: UnsafeRawBufferPointer) -> Bool {
        let isTLS = client?.isTLS == true
        let scheme = Array((isTLS ? "https://" : "http://").utf8)
        guard origin.count > scheme.count,
            UnsafeRawBufferPointer(rebasing: origin[..<scheme.count]).equalsIgnoringCase(scheme)
        else { return false }
        let usual = Array((isTLS ? ":443" : ":80").utf8)
        func host(_ authority: UnsafeRawBufferPointer) -> ArraySlice<UInt8> {
            let bytes = Array(authority)
            return bytes.suffix(usual.count) == usual[...] ? bytes.dropLast(usual.count) : bytes[...]
        }
        let own = Array(host(head.authority))
        let asked = Array(host(UnsafeRawBufferPointer(rebasing: origin[scheme.count...])))
        return own.withUnsafeBytes { $0.equalsIgnoringCase(asked) }
    }
}

/// Whether a page may ask.
enum OriginVerdict {
    case admitted
    /// It is the question whether it may, and this rule says yes.
    case preflight(CrossOriginRule)
    case refused(Problem)
}
