/// A URI reference in its parts (RFC 3986 §4.1, appendix B), as bytes; ``resolved(against:)`` gives the URI that it
/// refers to.
public struct URIReference: Hashable, Sendable {
    public var scheme: [UInt8]?
    public var authority: [UInt8]?
    public var path: [UInt8]
    /// Without the `?`.
    public var query: [UInt8]?
    /// Without the `#`.
    public var fragment: [UInt8]?

    public init(scheme: [UInt8]?, authority: [UInt8]?, path: [UInt8], query: [UInt8]?, fragment: [UInt8]? = nil) {
        self.scheme = scheme
        self.authority = authority
        self.path = path
        self.query = query
        self.fragment = fragment
    }

    /// Takes `text` apart. Any text can be divided so; whether the parts are valid is not checked.
    public init(_ text: UnsafeRawBufferPointer) {
        var rest = text[...]
        if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
            fragment = Array(rest[(hash + 1)...])
            rest = rest[..<hash]
        }
        if let question = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = Array(rest[(question + 1)...])
            rest = rest[..<question]
        }
        if let colon = rest.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon]) {
            scheme = Array(rest[..<colon])
            rest = rest[(colon + 1)...]
        }
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = Array(rest[..<end])
            rest = rest[end...]
        }
        path = Array(rest)
    }

    /// `ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )` (RFC 3986 §3.1).
    private static func isScheme(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard let first = text.first, first.isLetter else { return false }
        return text.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
    }

    /// The URI that the reference refers to; `base` is the URI of the place where it was found (RFC 3986 §5.2.2).
    public func resolved(against base: URIReference) -> URIReference {
        var target = self
        if scheme != nil {
            target.path = Self.withoutDotSegments(path)
            return target
        }
        target.scheme = base.scheme
        if authority != nil {
            target.path = Self.withoutDotSegments(path)
            return target
        }
        target.authority = base.authority
        if path.isEmpty {
            target.path = base.path
            if query == nil { target.query = base.query }
        } else if path.first == UInt8(ascii: "/") {
            target.path = Self.withoutDotSegments(path)
        } else {
            target.path = Self.withoutDotSegments(merged(with: base))
        }
        return target
    }

    /// RFC 3986 §5.2.3.
    private func merged(with base: URIReference) -> [UInt8] {
        if base.authority != nil, base.path.isEmpty { return [UInt8(ascii: "/")] + path }
        guard let slash = base.path.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return base.path[...slash] + path
    }

    /// RFC 3986 §5.2.4.
    private static func withoutDotSegments(_ path: [UInt8]) -> [UInt8] {
        var rest = path[...]
        var kept: [UInt8] = []
        func begins(_ text: StaticString) -> Bool { rest.starts(with: UnsafeRawBufferPointer(text)) }
        func isAll(_ text: StaticString) -> Bool { rest.count == text.utf8CodeUnitCount && begins(text) }
        while !rest.isEmpty {
            if begins("../") {
                rest = rest.dropFirst(3)
            } else if begins("./") || begins("/./") {
                rest = rest.dropFirst(2)
            } else if isAll("/.") {
                rest = rest.prefix(1)
            } else if begins("/../") || isAll("/..") {
                let isLast = rest.count == 3
                rest = rest.dropFirst(3)
                kept.removeSubrange((kept.lastIndex(of: UInt8(ascii: "/")) ?? 0)...)
                if isLast { rest = [UInt8(ascii: "/")] }
            } else if isAll(".") || isAll("..") {
                rest = []
            } else {
                let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
                kept += rest[..<end]
                rest = rest[end...]
            }
        }
        return kept
    }

    /// Path and query as the target of a request (RFC 9112 §3.2.1); nil where they hold characters that a URI may not
    /// hold, or where the path is ambiguous: `//` at its front, or dot segments, plain or encoded.
    public var originForm: [UInt8]? {
        let path = path.isEmpty ? [UInt8(ascii: "/")] : path
        guard path[0] == UInt8(ascii: "/"), !path.dropFirst().starts(with: "/".utf8),
            path.withUnsafeBytes({ PathCheck($0) }).isDisjoint(with: [.dotSegment, .nul, .control]),
            path.withUnsafeBytes({ $0.endOfRun(of: .path) == path.count }),
            query?.withUnsafeBytes({ $0.endOfRun(of: .query) == $0.count }) != false,
            query?.contains(UInt8(ascii: "\\")) != true
        else { return nil }
        return path + (query.map { [UInt8(ascii: "?")] + $0 } ?? [])
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool { lowercased &- UInt8(ascii: "a") < 26 }
}
