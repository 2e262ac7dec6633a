internal import SluiceContract
internal import SluiceHTTP

/// Routes by path segment. Where several match, the more specific one wins: text before text with placeholders,
/// before a whole placeholder, before `**`; and only a route that takes the method counts.
struct RouteTrie: Sendable {
    private var nodes: [Node] = [Node()]

    private struct Node: Sendable {
        var texts: [(segment: [UInt8], child: Int)] = []
        /// Segments with placeholders; whole placeholders last.
        var patterns: [(pattern: Pattern, child: Int)] = []
        var here = Methods()
        var rest = Methods()
    }

    /// Routes of one place in the tree, by method.
    private struct Methods: Sendable {
        var byMethod: [Int32] = []
        var others: [(name: [UInt8], route: Int)] = []
        var any: Int?
        var isEmpty: Bool { any == nil && byMethod.isEmpty && others.isEmpty }
    }

    /// `v{version}.json` as the texts around its placeholders.
    private struct Pattern: Sendable, Equatable {
        var prefix: [UInt8]
        /// Text after each placeholder; the last one reaches the end of the segment.
        var after: [[UInt8]]
        /// Bytes of text; more is more specific.
        var weight: Int { prefix.count + after.reduce(0) { $0 + $1.count } }
    }

    /// What a path led to.
    struct Match {
        var route: Int?
        /// Places in the path that placeholders matched, in their order, still percent-encoded.
        var captures: [Range<Int>] = []
        /// What `**` matched.
        var rest: Range<Int>?
        /// Some route has this path, if not this method.
        var isPathKnown = false
    }

    mutating func insert(_ path: PathTemplate, methods: [String], route: Int, parameters: [RouteParameter]) {
        var node = 0
        for segment in path.segments {
            node = child(of: node, segment: segment)
        }
        func add(_ place: inout Methods) {
            if methods.isEmpty { place.any = place.any ?? route }
            for name in methods {
                let bytes = Array(name.utf8)
                let method = bytes.withUnsafeBytes { Method($0) }
                if method == .other {
                    place.others.append((bytes, route))
                } else {
                    if place.byMethod.isEmpty { place.byMethod = Array(repeating: -1, count: 16) }
                    place.byMethod[Int(method.rawValue)] = Int32(route)
                }
            }
        }
        if path.hasRest { add(&nodes[node].rest) } else { add(&nodes[node].here) }
    }

    private mutating func child(of node: Int, segment: PathTemplate.Segment) -> Int {
        var pattern = Pattern(prefix: [], after: [])
        for part in segment {
            switch part {
            case .text(let text):
                if pattern.after.isEmpty {
                    pattern.prefix += text.utf8
                } else {
                    pattern.after[pattern.after.count - 1] += text.utf8
                }
            case .placeholder: pattern.after.append([])
            }
        }
        if pattern.after.isEmpty {
            if let found = nodes[node].texts.first(where: { $0.segment == pattern.prefix }) { return found.child }
            nodes.append(Node())
            nodes[node].texts.append((pattern.prefix, nodes.count - 1))
        } else {
            if let found = nodes[node].patterns.first(where: { $0.pattern == pattern }) { return found.child }
            nodes.append(Node())
            nodes[node].patterns.append((pattern, nodes.count - 1))
            nodes[node].patterns.sort { $0.pattern.weight > $1.pattern.weight }
        }
        return nodes.count - 1
    }

    /// Finds the route for a path.
    /// - Parameters:
    ///   - path: as received, beginning with `/`, with unreserved characters no longer percent-encoded.
    ///   - match: filled in; its arrays keep their memory from one request to the next.
    func find(
        _ path: UnsafeRawBufferPointer, method: Method, methodName: UnsafeRawBufferPointer, into match: inout Match
    ) {
        match.route = nil
        match.rest = nil
        match.isPathKnown = false
        match.captures.removeAll(keepingCapacity: true)
        guard path.first == UInt8(ascii: "/") else { return }
        _ = walk(0, from: 1, path, Wanted(method: method, name: methodName), &match)
    }

    private struct Wanted {
        var method: Method
        var name: UnsafeRawBufferPointer
    }

    /// - Parameter start: where the next segment begins; past the end when all segments are used up.
    private func walk(
        _ node: Int, from start: Int, _ path: UnsafeRawBufferPointer, _ wanted: Wanted, _ match: inout Match
    ) -> Bool {
        let isRoot = path.count == 1
        if start > path.count || (isRoot && node == 0) {
            if take(nodes[node].here, wanted, &match) { return true }
            if isRoot, take(nodes[node].rest, wanted, &match) {
                match.rest = 1..<1
                return true
            }
            return false
        }
        var end = start
        while end < path.count, path[end] != UInt8(ascii: "/") { end += 1 }
        let segment = UnsafeRawBufferPointer(rebasing: path[start..<end])
        for (text, child) in nodes[node].texts where text.elementsEqual(segment) {
            if walk(child, from: end + 1, path, wanted, &match) { return true }
        }
        for (pattern, child) in nodes[node].patterns {
            let mark = match.captures.count
            if capture(pattern, segment, at: start, &match.captures),
                walk(child, from: end + 1, path, wanted, &match)
            {
                return true
            }
            match.captures.removeSubrange(mark...)
        }
        if take(nodes[node].rest, wanted, &match) {
            match.rest = start..<path.count
            return true
        }
        return false
    }

    private func take(_ place: Methods, _ wanted: Wanted, _ match: inout Match) -> Bool {
        if place.isEmpty { return false }
        match.isPathKnown = true
        match.route = route(place, wanted)
        return match.route != nil
    }

    private func route(_ place: Methods, _ wanted: Wanted) -> Int? {
        if wanted.method == .other {
            if let found = place.others.first(where: { $0.name.elementsEqual(wanted.name) }) { return found.route }
            // ANY is every method that has a meaning (RFC 9110 §15.6.2).
            if !MethodRegistry.contains(wanted.name) { return nil }
        } else if !place.byMethod.isEmpty {
            let own = place.byMethod[Int(wanted.method.rawValue)]
            if own >= 0 { return Int(own) }
            // A GET binding serves HEAD too (RFC 9110 §9.3.2).
            let get = place.byMethod[Int(Method.get.rawValue)]
            if wanted.method == .head, get >= 0 { return Int(get) }
        }
        return place.any
    }

    private func capture(
        _ pattern: Pattern, _ segment: UnsafeRawBufferPointer, at base: Int, _ captures: inout [Range<Int>]
    ) -> Bool {
        guard segment.starts(with: pattern.prefix) else { return false }
        var position = pattern.prefix.count
        for (index, text) in pattern.after.enumerated() {
            let isLast = index == pattern.after.count - 1
            var end = isLast ? segment.count - text.count : position
            if isLast {
                guard end >= position, segment[end...].elementsEqual(text) else { return false }
            } else {
                while end + text.count <= segment.count, !segment[end..<end + text.count].elementsEqual(text) {
                    end += 1
                }
                guard end + text.count <= segment.count else { return false }
            }
            captures.append(base + position..<base + end)
            position = end + text.count
        }
        return true
    }

    /// The methods that some route takes for a path, for `Allow` (RFC 9110 §10.2.1).
    func methods(for path: UnsafeRawBufferPointer) -> [String] {
        var found: [String] = []
        var match = Match()
        for raw in UInt8(0)..<16 {
            guard let method = Method(rawValue: raw), method != .other else { continue }
            let name = method.name
            let bytes = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
            find(path, method: method, methodName: bytes, into: &match)
            if match.route != nil { found.append(name.description) }
        }
        return found
    }
}
