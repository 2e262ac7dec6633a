internal import SluiceContract
internal import SluiceHTTP

/// The path of a request in its normal form, and its match in the route table.
struct RequestPath: ~Copyable {
    /// The path with unreserved characters decoded; the ranges of `match` refer to it.
    private var normal = ByteScratch()
    private var match = RouteTrie.Match()
    /// Whether the path matched `**`, but would match another binding if `%2F` were read as `/` and `//` as `/`.
    private(set) var leadsElsewhere = false

    var bytes: UnsafeRawBufferPointer { normal.bytes }

    /// Brings the path to its normal form (RFC 3986 §6.2.2), with unreserved characters not percent-encoded. Refuses
    /// what two programs could read differently: dot segments, plain or encoded, and NUL.
    mutating func read(_ head: borrowing RequestHead) -> Problem? {
        if PathCheck.isPlain(head.path) {
            normal.append(head.path)
            return nil
        }
        if let refusal = PathRefusal.reason(head.path) { return Problem(.badRequest, detail: refusal) }
        let raw = head.path
        normal.withSpare(raw.count) { PercentEncoding.decodeUnreserved(raw, into: $0) }
        return nil
    }

    /// - Returns: the position of the route; nil where there is none.
    mutating func find(in trie: borrowing RouteTrie, method: Method, methodName: UnsafeRawBufferPointer) -> Int? {
        trie.find(normal.bytes, method: method, methodName: methodName, into: &match)
        leadsElsewhere = false
        if match.hasNeighbours, !PathCheck(normal.bytes).isDisjoint(with: [.encodedSlash, .emptySegment]) {
            leadsElsewhere = isOtherRoute(in: trie, method: method, methodName: methodName)
        }
        return match.route
    }

    /// Matches the path once more, as a program would that decodes and merges slashes.
    private func isOtherRoute(
        in trie: borrowing RouteTrie, method: Method, methodName: UnsafeRawBufferPointer
    ) -> Bool {
        let raw = normal.bytes
        var merged = ByteScratch()
        merged.withSpare(raw.count) { Self.mergeSlashes(of: raw, into: $0) }
        var other = RouteTrie.Match()
        trie.find(merged.bytes, method: method, methodName: methodName, into: &other)
        merged.releaseMemory()
        guard let route = other.route else { return false }
        return route != match.route
    }

    private static func mergeSlashes(of path: UnsafeRawBufferPointer, into out: UnsafeMutableRawBufferPointer) -> Int {
        let slash = UInt8(ascii: "/")
        var count = 0
        var index = 0
        while index < path.count {
            var byte = path[index]
            if byte == UInt8(ascii: "%"), index + 2 < path.count, path[index + 1] == UInt8(ascii: "2"),
                path[index + 2] | 0x20 == UInt8(ascii: "f")
            {
                byte = slash
                index += 2
            }
            index += 1
            if byte == slash, count > 0, out[count - 1] == slash { continue }
            out[count] = byte
            count += 1
        }
        return count
    }

    /// Sets a path that the gateway made for a known route.
    mutating func set(_ path: UnsafeRawBufferPointer, captures: [Range<Int>]) {
        normal.append(path)
        match.captures = captures
        match.rest = nil
    }

    /// What a placeholder matched, still percent-encoded.
    func capture(_ position: Int) -> UnsafeRawBufferPointer { normal.bytes(match.captures[position]) }

    /// What `**` matched; nil where the route has none.
    var rest: UnsafeRawBufferPointer? { match.rest.map { normal.bytes($0) } }

    /// Why there is no route for the request.
    func noRoute(for head: borrowing RequestHead, in trie: borrowing RouteTrie) -> Problem {
        if leadsElsewhere {
            return Problem(
                .badRequest,
                detail: "Something else is bound to this path where '%2f' is read as '/', or '//' as one; send the "
                    + "path that is meant.")
        }
        let text = Shown.text(normal.bytes, most: 200)
        // RFC 9110 §15.6.2: 501 is for methods that no resource supports.
        if head.method == .other, !MethodRegistry.contains(head.methodName) {
            let name = Shown.text(head.methodName, most: 40)
            return Problem(.unknownMethod, detail: "The method '\(name)' is not known here; a binding may name it.")
        }
        guard match.isPathKnown else {
            return Problem(.unknownRoute, detail: "Nothing is bound to '\(text)'; 'sluice routes' lists what is.")
        }
        if head.connectProtocol != .none {
            // RFC 9220 §3.
            return Problem(
                .unknownMethod,
                detail: "Nothing bound to '\(text)' opens tunnels; a binding with 'upgrade: websocket' would.")
        }
        let allowed = trie.methods(for: normal.bytes)
        var problem = Problem(
            .methodNotAllowed,
            detail: "\(String(decoding: head.methodName, as: UTF8.self)) is not bound for '\(text)'; use "
                + "\(allowed.joined(separator: " or ")).")
        problem.allow = allowed
        return problem
    }

    mutating func copy(_ other: borrowing RequestPath) {
        normal.append(other.normal.bytes)
        match = other.match
    }

    mutating func removeAll() { normal.removeAll() }

    /// Called when the path is no longer needed.
    mutating func releaseMemory() {
        normal.releaseMemory()
        match = RouteTrie.Match()
    }
}
