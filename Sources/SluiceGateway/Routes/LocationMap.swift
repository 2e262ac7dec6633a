internal import SluiceContract
internal import SluiceHTTP

/// Rewrites a `Location` of the upstream to the gateway's own paths (RFC 9110 §10.2.2).
///
/// Possible where a binding passes everything below a path (`**`): what lies below the upstream's path lies below the
/// local one. Any other value goes to the client unchanged, also a target with `..`.
struct LocationMap: Sendable {
    /// Both end with a slash.
    private let upstreamPrefix: [UInt8]
    private let localPrefix: [UInt8]
    private let host: Upstream.HostField

    /// nil where a path has placeholders, or does not end with `**`.
    init?(_ binding: Binding, _ upstream: Upstream) {
        guard binding.path.hasRest, binding.upstreamPath.hasRest, let local = Self.prefix(binding.path),
            let below = Self.prefix(binding.upstreamPath)
        else { return nil }
        localPrefix = local
        upstreamPrefix = Array(upstream.basePath.utf8) + below
        host = upstream.host
    }

    private static func prefix(_ path: PathTemplate) -> [UInt8]? {
        guard path.placeholders.isEmpty else { return nil }
        var text = "/"
        for segment in path.segments {
            for case .text(let part) in segment { text += part }
            text += "/"
        }
        return Array(text.utf8)
    }

    /// The local target; nil where the value goes out unchanged.
    func local(
        _ value: UnsafeRawBufferPointer, of origin: Upstream.Origin, authority own: [UInt8],
        client: UnsafeRawBufferPointer
    ) -> [UInt8]? {
        var rest = value[...]
        // `//host/…` names a host, too (RFC 3986 §4.2).
        if rest.first != UInt8(ascii: "/") || rest.starts(with: "//".utf8) {
            guard let path = pathOnUpstream(value, origin, own, client: client) else { return nil }
            rest = path
        }
        guard rest.starts(with: upstreamPrefix) else { return nil }
        let below = rest.dropFirst(upstreamPrefix.count)
        // `//` at the front would name a host.
        let path = UnsafeRawBufferPointer(rebasing: rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
        guard PathCheck(path).isDisjoint(with: [.dotSegment, .malformed, .nul, .control, .backslash]),
            localPrefix.count > 1 || below.first != UInt8(ascii: "/")
        else { return nil }
        return localPrefix + below
    }

    /// The part of a URL behind scheme and authority, if these are the upstream's.
    private func pathOnUpstream(
        _ value: UnsafeRawBufferPointer, _ origin: Upstream.Origin, _ own: [UInt8], client: UnsafeRawBufferPointer
    ) -> Slice<UnsafeRawBufferPointer>? {
        guard case .tcp(_, _, let tls) = origin else { return nil }
        let scheme: StaticString = tls ? "https://" : "http://"
        let afterScheme: Slice<UnsafeRawBufferPointer>
        if value.starts(with: "//".utf8) {
            afterScheme = value[2...]
        } else {
            guard value.count > scheme.utf8CodeUnitCount,
                UnsafeRawBufferPointer(rebasing: value[..<scheme.utf8CodeUnitCount]).equalsIgnoringCase(scheme)
            else { return nil }
            afterScheme = value[scheme.utf8CodeUnitCount...]
        }
        guard let end = afterScheme.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        let authority = UnsafeRawBufferPointer(rebasing: afterScheme[..<end])
        let isOwn =
            switch host {
            case .upstream: false
            case .client: authority.equalsIgnoringCase(Array(client))
            case .fixed(let name): authority.equalsIgnoringCase(Array(name.utf8))
            }
        guard isOwn || authority.equalsIgnoringCase(own) else { return nil }
        return value[end...]
    }
}
