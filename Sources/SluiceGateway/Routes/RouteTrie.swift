internal import SluiceContract
internal import SluiceHTTP

/// Routes by path segment. Where several match, the more specific one wins: text before text with placeholders,
/// before a whole placeholder, before `**`; and only a route that takes the method counts.
struct RouteTrie: ~Copyable, Sendable {
    // Everything that matching reads is in arrays of plain numbers, which are indices into each other, so that there is
    // no reference counting on the way. -1 stands for none.
    private var nodes = [Node()]
    private var textEdges: [TextEdge] = []
    private var patternEdges: [PatternEdge] = []
    /// Texts of the patterns: one before the first placeholder, and one behind each.
    private var parts: [Text] = []
    private var letters: [UInt8] = []
    /// Sixteen routes, by ``Method``, for each place whose routes differ by method.
    private var methodRoutes: [Int32] = []
    private var others: [Other] = []
    /// Children by text, while routes are inserted.
    private var children: [ChildKey: Int] = [:]

    private struct ChildKey: Hashable {
        var node: Int
        var text: [UInt8]
    }

    private struct Node: BitwiseCopyable {
        var texts: Int32 = -1
        /// Segments with placeholders; whole placeholders last.
        var patterns: Int32 = -1
        var here = Place()
        var rest = Place()
    }

    /// Routes of one place in the tree, by method.
    private struct Place: BitwiseCopyable {
        /// Index of its first route in `methodRoutes`.
        var methods: Int32 = -1
        var others: Int32 = -1
        var any: Int32 = -1
        var isEmpty: Bool { any & methods & others == -1 }
    }

    /// Range in `letters`.
    private struct Text: BitwiseCopyable {
        var start: Int32
        var count: Int32
    }

    private struct TextEdge: BitwiseCopyable {
        var text: Text
        var child: Int32
        var next: Int32
    }

    /// `v{version}.json` as the texts around its placeholders.
    private struct PatternEdge: BitwiseCopyable {
        /// Index in `parts`. There is one part more than placeholders; the last one ends with the segment.
        var firstPart: Int32
        var partCount: Int32
        /// Number of bytes of text; the pattern with more is more specific.
        var weight: Int32
        var child: Int32
        var next: Int32
    }

    /// A method without a number in ``Method``.
    private struct Other: Sendable {
        var name: [UInt8]
        var route: Int32
        var next: Int32
    }

    /// The result of matching a path.
    struct Match {
        var route: Int?
        /// Ranges of the path that placeholders matched, in order, still percent-encoded.
        var captures: [Range<Int>] = []
        /// What `**` matched.
        var rest: Range<Int>?
        /// Whether other routes may match some paths that `**` matches.
        var hasNeighbours = false
        /// Whether some route has this path, even if not with this method.
        var isPathKnown = false
    }

    // MARK: - Building

    mutating func insert(_ path: PathTemplate, methods: [String], route: Int, parameters: [RouteParameter]) {
        var node = 0
        for segment in path.segments { node = child(of: node, segment) }
        var place = path.hasRest ? nodes[node].rest : nodes[node].here
        if methods.isEmpty, place.any < 0 { place.any = Int32(route) }
        for name in methods { add(Array(name.utf8), Int32(route), to: &place) }
        if path.hasRest { nodes[node].rest = place } else { nodes[node].here = place }
    }

    /// Ends building: all routes have been inserted.
    mutating func seal() {
        children = [:]
    }

    private mutating func add(_ name: [UInt8], _ route: Int32, to place: inout Place) {
        let method = name.withUnsafeBytes { Method($0) }
        if method == .other {
            others.append(Other(name: name, route: route, next: place.others))
            place.others = Int32(others.count - 1)
        } else {
            if place.methods < 0 {
                place.methods = Int32(methodRoutes.count)
                methodRoutes += Array(repeating: -1, count: 16)
            }
            methodRoutes[Int(place.methods) + Int(method.rawValue)] = route
        }
    }

    private mutating func child(of node: Int, _ segment: PathTemplate.Segment) -> Int {
        var texts: [[UInt8]] = [[]]
        for part in segment {
            switch part {
            case .text(let text): texts[texts.count - 1] += text.utf8
            case .placeholder: texts.append([])
            }
        }
        return texts.count == 1 ? child(of: node, text: texts[0]) : child(of: node, pattern: texts)
    }

    private mutating func child(of node: Int, text: [UInt8]) -> Int {
        let key = ChildKey(node: node, text: text)
        if let known = children[key] { return known }
        nodes.append(Node())
        let child = nodes.count - 1
        children[key] = child
        textEdges.append(TextEdge(text: add(text), child: Int32(child), next: nodes[node].texts))
        nodes[node].texts = Int32(textEdges.count - 1)
        return child
    }

    private mutating func child(of node: Int, pattern: [[UInt8]]) -> Int {
        let weight = Int32(pattern.reduce(0) { $0 + $1.count })
        var before: Int32 = -1
        var edge = nodes[node].patterns
        while edge >= 0, patternEdges[Int(edge)].weight >= weight {
            let known = patternEdges[Int(edge)]
            let texts = parts[Int(known.firstPart)..<Int(known.firstPart + known.partCount)].map { letters($0) }
            if texts.elementsEqual(pattern, by: { $0.elementsEqual($1) }) { return Int(known.child) }
            before = edge
            edge = known.next
        }
        nodes.append(Node())
        let child = nodes.count - 1
        let first = Int32(parts.count)
        for text in pattern { parts.append(add(text)) }
        patternEdges.append(
            PatternEdge(
                firstPart: first, partCount: Int32(pattern.count), weight: weight, child: Int32(child), next: edge))
        let added = Int32(patternEdges.count - 1)
        if before < 0 { nodes[node].patterns = added } else { patternEdges[Int(before)].next = added }
        return child
    }

    private mutating func add(_ text: [UInt8]) -> Text {
        letters += text
        return Text(start: Int32(letters.count - text.count), count: Int32(text.count))
    }

    private func letters(_ text: Text) -> ArraySlice<UInt8> { letters[Int(text.start)..<Int(text.start + text.count)] }

    // MARK: - Matching

    /// Finds the route for a path.
    /// - Parameters:
    ///   - path: as received, beginning with `/`, with unreserved characters no longer percent-encoded.
    ///   - match: filled in; its arrays keep their memory from one request to the next.
    func find(
        _ path: UnsafeRawBufferPointer, method: Method, methodName: UnsafeRawBufferPointer, into match: inout Match
    ) {
        match.route = nil
        match.rest = nil
        match.hasNeighbours = false
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
        var edge = nodes[node].texts
        while edge >= 0 {
            let known = textEdges[Int(edge)]
            edge = known.next
            guard stands(known.text, in: segment, at: 0, exactly: true) else { continue }
            if walk(Int(known.child), from: end + 1, path, wanted, &match) { return true }
            break
        }
        if walkPatterns(of: node, segment, from: start, path, wanted, &match) { return true }
        if take(nodes[node].rest, wanted, &match) {
            match.rest = start..<path.count
            match.hasNeighbours = nodes[node].texts & nodes[node].patterns != -1 || !match.captures.isEmpty
            return true
        }
        return false
    }

    private func walkPatterns(
        of node: Int, _ segment: UnsafeRawBufferPointer, from start: Int, _ path: UnsafeRawBufferPointer,
        _ wanted: Wanted, _ match: inout Match
    ) -> Bool {
        var edge = nodes[node].patterns
        while edge >= 0 {
            let known = patternEdges[Int(edge)]
            edge = known.next
            let mark = match.captures.count
            if capture(known, segment, at: start, &match.captures),
                walk(Int(known.child), from: start + segment.count + 1, path, wanted, &match)
            {
                return true
            }
            match.captures.removeSubrange(mark...)
        }
        return false
    }

    private func take(_ place: Place, _ wanted: Wanted, _ match: inout Match) -> Bool {
        if place.isEmpty { return false }
        match.isPathKnown = true
        match.route = route(place, wanted)
        return match.route != nil
    }

    private func route(_ place: Place, _ wanted: Wanted) -> Int? {
        if wanted.method == .other {
            if let own = other(place, wanted.name) { return own }
            // A binding for any method takes every method that is registered (RFC 9110 §15.6.2).
            if !MethodRegistry.contains(wanted.name) { return nil }
        } else if place.methods >= 0 {
            let own = methodRoutes[Int(place.methods) + Int(wanted.method.rawValue)]
            if own >= 0 { return Int(own) }
            // A GET binding serves HEAD too (RFC 9110 §9.3.2).
            let get = methodRoutes[Int(place.methods) + Int(Method.get.rawValue)]
            if wanted.method == .head, get >= 0 { return Int(get) }
        }
        return place.any >= 0 ? Int(place.any) : nil
    }

    private func other(_ place: Place, _ name: UnsafeRawBufferPointer) -> Int? {
        var index = place.others
        while index >= 0 {
            let other = others[Int(index)]
            if other.name.elementsEqual(name) { return Int(other.route) }
            index = other.next
        }
        return nil
    }

    /// Whether `text` is at `offset`; with `exactly`, also whether it ends where the segment ends.
    private func stands(_ text: Text, in segment: UnsafeRawBufferPointer, at offset: Int, exactly: Bool) -> Bool {
        let count = Int(text.count)
        guard exactly ? offset + count == segment.count : offset + count <= segment.count else { return false }
        for index in 0..<count where letters[Int(text.start) + index] != segment[offset + index] { return false }
        return true
    }

    private func capture(
        _ pattern: PatternEdge, _ segment: UnsafeRawBufferPointer, at base: Int, _ captures: inout [Range<Int>]
    ) -> Bool {
        let first = Int(pattern.firstPart)
        guard stands(parts[first], in: segment, at: 0, exactly: false) else { return false }
        var position = Int(parts[first].count)
        let last = first + Int(pattern.partCount) - 1
        for index in first + 1...last {
            let text = parts[index]
            var end = index == last ? segment.count - Int(text.count) : position
            if index == last {
                guard end >= position, stands(text, in: segment, at: end, exactly: true) else { return false }
            } else {
                while !stands(text, in: segment, at: end, exactly: false) {
                    end += 1
                    guard end + Int(text.count) <= segment.count else { return false }
                }
            }
            captures.append(base + position..<base + end)
            position = end + Int(text.count)
        }
        return true
    }

    /// The methods that some route takes for a path, for `Allow` (RFC 9110 §10.2.1).
    func methods(for path: UnsafeRawBufferPointer) -> [String] {
        var found: [String] = []
        var match = Match()
        for raw in UInt8(0)..<16 {
            guard let method = Method(rawValue: raw), method.isServed else { continue }
            let name = method.name
            let bytes = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
            find(path, method: method, methodName: bytes, into: &match)
            if match.route != nil { found.append(name.description) }
        }
        return found
    }
}
