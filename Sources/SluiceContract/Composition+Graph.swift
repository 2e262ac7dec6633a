extension Composition {
    /// Which parts have to be done before each is requested, by position: those whose values its request uses, and, if
    /// a part changes something, all that are declared before it. Parts after a change see it.
    public var dependencies: [Set<Int>] {
        let positions = Dictionary(zip(parts.map(\.name), 0...)) { first, _ in first }
        var lastWrite: Int?
        return parts.enumerated().map { index, part in
            var needed = Set(
                part.references.compactMap { $0.name == part.alias ? nil : positions[$0.name] })
            if part.writes {
                needed.formUnion(0..<index)
            } else if let lastWrite {
                needed.insert(lastWrite)
            }
            if part.writes { lastWrite = index }
            return needed
        }
    }

    /// Parts that wait for each other in a circle, in its order; nil where there is none.
    public var cycle: [Int]? {
        let dependencies = dependencies
        var done: Set<Int> = []
        for start in parts.indices {
            var way: [Int] = []
            if let cycle = Self.cycle(from: start, dependencies, &way, &done) { return cycle }
        }
        return nil
    }

    private static func cycle(
        from index: Int, _ dependencies: [Set<Int>], _ way: inout [Int], _ done: inout Set<Int>
    ) -> [Int]? {
        if let first = way.firstIndex(of: index) { return Array(way[first...]) }
        if done.contains(index) { return nil }
        way.append(index)
        for next in dependencies[index].sorted() {
            if let cycle = cycle(from: next, dependencies, &way, &done) { return cycle }
        }
        way.removeLast()
        done.insert(index)
        return nil
    }
}

extension Composition.Part {
    /// The binding that a part asks, and what stands in its path.
    public struct Target: Hashable, Sendable {
        /// Its position.
        public var binding: Int
        /// For each placeholder of its path, in their order.
        public var captures: [Composition.Text]
    }

    /// The binding that is asked, whatever the values are: text matches text, and a value a placeholder.
    /// - Returns: the most specific one; nil where there is none.
    public func target(among bindings: [Binding]) -> Target? {
        var best: (target: Target, rank: [Int])?
        for (index, binding) in bindings.enumerated() {
            guard binding.methods.isEmpty || binding.methods.contains(method),
                let (captures, rank) = match(binding.path)
            else { continue }
            if let best, !best.rank.lexicographicallyPrecedes(rank) { continue }
            best = (Target(binding: index, captures: captures), rank)
        }
        return best?.target
    }

    private func match(_ template: PathTemplate) -> (captures: [Composition.Text], rank: [Int])? {
        guard !template.hasRest, template.segments.count == path.count else { return nil }
        var captures: [Composition.Text] = []
        var rank: [Int] = []
        for (segment, own) in zip(template.segments, path) {
            if segment.isEmpty, own.isEmpty {
                rank.append(2)
            } else if segment.count == 1, case .placeholder = segment[0] {
                if own.isEmpty { return nil }
                captures.append(own)
                rank.append(0)
            } else {
                guard let found = Self.captures(segment, own) else { return nil }
                captures += found
                rank.append(found.isEmpty ? 2 : 1)
            }
        }
        return (captures, rank)
    }

    /// Text and placeholders in turn: both have the same shape.
    private static func captures(_ segment: PathTemplate.Segment, _ own: Composition.Text) -> [Composition.Text]? {
        guard segment.count == own.count else { return nil }
        var captures: [Composition.Text] = []
        for (part, piece) in zip(segment, own) {
            switch (part, piece) {
            case (.text(let one), .text(let other)) where one == other: continue
            case (.placeholder, .value): captures.append([piece])
            default: return nil
            }
        }
        return captures
    }
}

extension [Binding] {
    /// Positions of some bindings and of all that they are made of: those that are asked about first, and each once,
    /// though parts may lead to it by many ways.
    public func sources(of positions: some Sequence<Int>) -> [Int] {
        var found = [Int](positions)
        var seen = Set(found)
        var next = 0
        while next < found.count {
            for part in self[found[next]].composition?.parts ?? [] {
                guard let index = part.target(among: self)?.binding, seen.insert(index).inserted else { continue }
                found.append(index)
            }
            next += 1
        }
        return found
    }
}
