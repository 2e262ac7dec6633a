internal import SluiceContract
internal import SluiceHTTP

/// Keeps foreign web pages out: a browser sends requests for any page, also to localhost. A page that is not of the
/// gateway's own origin is refused, unless `cors:` allows its origin (Fetch standard §3.2, CORS protocol).
struct OriginCheck {
    /// nil where the binding allows no other origin.
    let rule: CrossOriginRule?
    let isPreflight: Bool
    /// Whether the request came over TLS.
    let isTLS: Bool

    /// Whether the page may send the request.
    enum Verdict {
        case admitted
        /// The request is a preflight, and this rule allows the page.
        case preflight(CrossOriginRule)
        case refused(Problem)
    }

    /// The method that a preflight asks about (Fetch §4.8); empty where the request is no preflight.
    static func preflightMethod(of head: borrowing RequestHead) -> UnsafeRawBufferPointer {
        guard head.method == .options, head.fields.firstIndex(of: .origin) != nil,
            let index = head.fields.firstIndex(of: .accessControlRequestMethod)
        else { return .empty }
        return head.fields.value(index)
    }

    /// - Parameters:
    ///   - origin: index of the `Origin` field, negative where there is none.
    ///   - fetchSite: index of the `Sec-Fetch-Site` field, negative where there is none.
    ///   - own: gets the fields of the answer that concern the page.
    func verdict(
        on head: borrowing RequestHead, origin: Int, fetchSite: Int, telling own: inout HeaderBlock
    ) -> Verdict {
        let site = fetchSite < 0 ? UnsafeRawBufferPointer.empty : head.fields.value(fetchSite)
        if let rule, rule.dependsOnOrigin { own.append(.vary, "Origin") }
        guard origin >= 0 else {
            // A page that only embeds or links a resource sends no Origin; any page can do that.
            return isForeign(site) && rule?.isOpen != true ? refusal("a page of another origin") : .admitted
        }
        let value = head.fields.value(origin)
        guard head.fields.count(of: .origin) == 1 else { return refusal("a page of two origins") }
        if let rule, rule.allows(value) {
            rule.write(origin: value, into: &own)
            return isPreflight ? .preflight(rule) : .admitted
        }
        guard isOwn(value, head.authority), !isForeign(site), !isPreflight else {
            return refusal("'\(String(decoding: value.prefix(100), as: UTF8.self))'")
        }
        return .admitted
    }

    /// Whether the browser says that the page is of another origin. A site is wider than an origin: servers on two
    /// ports of localhost are of the same site (Fetch Metadata §2.3). Unknown values are ignored.
    private func isForeign(_ site: UnsafeRawBufferPointer) -> Bool {
        site.equalsIgnoringCase("cross-site") || site.equalsIgnoringCase("same-site")
    }

    private func refusal(_ who: String) -> Verdict {
        .refused(
            Problem(
                .crossOrigin,
                detail: "A browser asks for \(who); 'cors: {origins: […]}' of the binding says which origins may."))
    }

    /// Whether the page was served by this gateway: its scheme, host and port are those of the request (RFC 6454 §5).
    private func isOwn(_ origin: UnsafeRawBufferPointer, _ authority: UnsafeRawBufferPointer) -> Bool {
        let scheme = Array((isTLS ? "https://" : "http://").utf8)
        guard origin.count > scheme.count,
            UnsafeRawBufferPointer(rebasing: origin[..<scheme.count]).equalsIgnoringCase(scheme)
        else { return false }
        let usual = Array((isTLS ? ":443" : ":80").utf8)
        func host(_ authority: UnsafeRawBufferPointer) -> ArraySlice<UInt8> {
            let bytes = Array(authority)
            return bytes.suffix(usual.count) == usual[...] ? bytes.dropLast(usual.count) : bytes[...]
        }
        let own = Array(host(authority))
        let asked = Array(host(UnsafeRawBufferPointer(rebasing: origin[scheme.count...])))
        return own.withUnsafeBytes { $0.equalsIgnoringCase(asked) }
    }
}
