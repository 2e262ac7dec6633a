/// Where a resource is: a path and a query, in one spelling.
///
/// Items of the query are sorted, so that the same parameters are the same resource; repeats stay.
public struct ResourceAddress: Hashable, Sendable {
    /// Percent-encoded, with a `/` in front.
    public let path: String
    /// The parameters, sorted by name and value.
    public let query: QueryItems
    /// Why it is no address to ask.
    private let fault: String?

    /// - Parameter path: A path as its author wrote it; behind a `?` items of the query.
    public init(_ path: String) {
        let halves = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.init(
            path: PercentText.encodedPath(String(halves[0])),
            query: QueryItems(text: halves.count > 1 ? halves[1] : ""), fault: nil)
    }

    private init(path: String, query: QueryItems, fault: String?) {
        self.fault = fault
        self.path = path.hasPrefix("/") ? path : "/" + path
        self.query = query.canonical
    }

    /// What lies one segment deeper, whatever characters it has; the query stays behind.
    ///
    /// An empty text and dot segments would be another path (RFC 3986 §3.3): nothing is sent to such an address.
    public func child(_ segment: String) -> ResourceAddress {
        let isNone = ["", ".", ".."].contains(segment)
        return ResourceAddress(
            path: (path.hasSuffix("/") ? path : path + "/") + segment.encodedSegment, query: QueryItems(),
            fault: fault ?? (isNone ? "'\(segment)' is no child of '\(path)': give a name." : nil))
    }

    /// - Throws: ``CallError/encode(_:)`` where this is no address to ask.
    func check() throws(CallError) {
        if let fault { throw .encode(fault) }
    }

    /// What a reference from here leads to (RFC 3986 §5.2): `../other`, `?page=2`, `/elsewhere`.
    public func relative(_ reference: String) -> ResourceAddress {
        let target = ResourceAddress(reference)
        if reference.isEmpty { return self }
        if reference.hasPrefix("?") { return ResourceAddress(path: path, query: target.query, fault: fault) }
        let base = reference.hasPrefix("/") ? "" : path[..<(path.lastIndex(of: "/") ?? path.startIndex)] + ""
        return ResourceAddress(path: Self.withoutDots(base + target.path), query: target.query, fault: fault)
    }

    /// The same with a parameter: nil takes it away, a list repeats it.
    public func withParam(_ name: String, _ value: (any ParameterValue)?) -> ResourceAddress {
        var items = QueryItems(query.items.filter { $0.name != name })
        if let value { items.append(name, value) }
        return ResourceAddress(path: path, query: items, fault: fault)
    }

    /// RFC 3986 §5.2.4.
    private static func withoutDots(_ path: String) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        var kept: [Substring] = []
        for part in parts {
            switch part {
            case ".": break
            case "..": _ = kept.popLast()
            default: kept.append(part)
            }
        }
        let endsOpen = parts.last == "." || parts.last == ".."
        return "/" + kept.joined(separator: "/") + (endsOpen && !kept.isEmpty ? "/" : "")
    }
}

extension ResourceAddress: CustomStringConvertible {
    public var description: String { query.isEmpty ? path : "\(path)?\(query.text)" }
}
