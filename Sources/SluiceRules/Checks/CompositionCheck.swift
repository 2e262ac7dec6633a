internal import SluiceContract

/// `parts:` of one binding, once all bindings are known: whether what its parts ask is bound, waits for nothing in a
/// circle, and is of the right types.
struct CompositionCheck {
    let binding: Binding
    let composition: Composition
    let bindings: [Binding]
    private let upstreams: [String: Upstream]
    let fit: TypeFit
    let scope: Scope
    let naming: PartNamesCheck
    let partsMax: Int
    /// What each part asks; nil where nothing is bound to that.
    let targets: [Composition.Part.Target?]
    let dependencies: [Set<Int>]

    init(
        _ binding: Binding, _ composition: Composition, in configuration: Configuration, _ fit: TypeFit, _ scope: Scope
    ) {
        self.binding = binding
        self.composition = composition
        bindings = configuration.bindings
        upstreams = Dictionary(configuration.upstreams.map { ($0.name, $0) }) { first, _ in first }
        self.fit = fit
        self.scope = scope
        naming = PartNamesCheck(binding, composition, scope)
        partsMax = configuration.limits.parts
        targets = composition.parts.map { $0.target(among: configuration.bindings) }
        dependencies = composition.dependencies
    }

    var parts: [Composition.Part] { composition.parts }
    var names: [String] { naming.names }

    func scope(of part: Composition.Part) -> Scope { naming.scope(of: part) }

    /// - Returns: the type of the whole, where it could be made out.
    func run() -> TypeExpression? {
        if parts.isEmpty {
            (scope / "parts").mistake(
                "there are no parts", expected: "a name and a request each: user: GET /users/{id}")
            return nil
        }
        if parts.count > partsMax {
            (scope / "parts").mistake(
                "\(parts.count) parts are more than 'limits.parts' takes", expected: "\(partsMax) at most")
        }
        for part in parts { checkName(part) }
        for (index, part) in parts.enumerated() { checkTarget(part, targets[index]) }
        if let cycle = composition.cycle {
            let way = (cycle + cycle.prefix(1)).map { parts[$0].name }.joined(separator: " → ")
            scope(of: parts[cycle[0]]).mistake(
                "the parts wait for each other: \(way)", at: .value, expected: "parts that need only those before them")
            naming.checkNames()
            return nil
        }
        for index in parts.indices { checkRequest(index) }
        checkWrites()
        checkCache()
        return checkValue()
    }

    private func checkName(_ part: Composition.Part) {
        let scope = scope(of: part)
        if !Name.isPart(part.name) {
            scope.mistake("'\(part.name)' cannot name a part", expected: "letters, digits, '_' and '-'")
        }
        if binding.parameters.contains(where: { $0.name == part.name }) || part.name == Composition.requestName {
            scope.mistake(
                part.name == Composition.requestName
                    ? "'request' is the client's" : "'\(part.name)' is a parameter, too", expected: "a name of its own")
        }
        guard let alias = part.alias else { return }
        if !Name.isPart(alias) || alias == Composition.requestName {
            (scope / "as").mistake(
                "'\(alias)' cannot name an element", at: .value, expected: "letters, digits, '_' and '-'")
        }
        if names.contains(alias) || binding.parameters.contains(where: { $0.name == alias }) {
            (scope / "as").mistake(
                "'\(alias)' means something else already", at: .value, expected: "a name that no part and parameter has"
            )
        }
    }

    private func checkTarget(_ part: Composition.Part, _ target: Composition.Part.Target?) {
        guard let target else { return naming.tellUnbound(part, among: bindings) }
        let scope = scope(of: part)
        let asked = bindings[target.binding]
        if part.method == "HEAD" || part.method == "OPTIONS" || part.method == "TRACE" {
            scope.mistake("\(part.method) has no value", at: .value, expected: "GET, POST, PUT, PATCH or DELETE")
        }
        if asked.upgrade != nil || asked.rows?.delivery == .lines {
            scope.mistake(
                "\(asked.name) has no end that could be waited for", at: .value,
                expected: "a binding with one answer")
        }
    }

    // MARK: - Changes

    /// RFC 9110 §9.2.1: a question changes nothing.
    private func checkWrites() {
        guard !binding.methods.isEmpty, !Set(binding.methods).isDisjoint(with: ["GET", "HEAD"]) else { return }
        for part in parts where part.writes {
            scope(of: part).mistake(
                "\(part.method) changes something, and \(binding.methods.joined(separator: "|")) may not", at: .value,
                expected: "a binding of POST, PUT, PATCH or DELETE")
        }
    }

    // MARK: - Stored answers

    /// An answer stored for all clients must not have been made for one; nor only for the clients that a part allows.
    private func checkCache() {
        if binding.watch != nil { checkWatch() }
        guard let cache = binding.cache, !cache.isPrivate else { return }
        for (part, target) in zip(parts, targets) {
            guard let target else { continue }
            let sources = bindings.sources(of: [target.binding]).map { bindings[$0] }
            if sources.contains(where: isOfOneClient) {
                (scope / "cache").mistake(
                    "each client has a '\(part.name)' of its own, and all would get the same", at: .key,
                    expected: "private: true, or no 'cache:'")
            } else if let guarded = sources.first(where: { $0.grants != nil && $0.grants != binding.grants }) {
                (scope / "cache").mistake(
                    "'\(part.name)' is not for everybody, and a stored answer would be", at: .key,
                    expected: "the 'allow:' of \(guarded.name), private: true, or no 'cache:'")
            }
        }
    }

    /// All clients that watch a value get the same events: a part's `allow:` must not exclude any of them.
    private func checkWatch() {
        for (part, target) in zip(parts, targets) {
            guard let target else { continue }
            let sources = bindings.sources(of: [target.binding]).map { bindings[$0] }
            if part.writes || sources.contains(where: asksByWriting) {
                (scope / "watch").mistake(
                    "'\(part.name)' would be asked again and again by a method that may change something", at: .key,
                    expected: "parts of GET, whose 'to:' leaves the method as it is, or no 'watch:'")
                continue
            }
            guard let guarded = sources.first(where: { $0.grants != nil && $0.grants != binding.grants }) else {
                continue
            }
            (scope / "watch").mistake(
                "'\(part.name)' is not for everybody, and is told to all who watch", at: .key,
                expected: "the 'allow:' of \(guarded.name), or no 'watch:'")
        }
    }

    private func asksByWriting(_ binding: Binding) -> Bool {
        binding.graphQL == nil && (binding.upstreamMethod.map { $0 != "GET" } ?? false)
            || binding.composition?.parts.contains(where: \.writes) == true
    }

    private func isOfOneClient(_ binding: Binding) -> Bool {
        binding.cache?.isPrivate == true || upstreams[binding.upstream]?.hasCredentialByClient(binding) == true
    }
}

extension Name {
    /// Parts of composed bindings: they stand in paths of values.
    package static func isPart(_ name: String) -> Bool {
        guard let first = name.utf8.first, first.isLetter || first == UInt8(ascii: "_") else { return false }
        return name.utf8.allSatisfy { $0.isLetter || $0.isDigit || "_-".utf8.contains($0) }
    }
}
