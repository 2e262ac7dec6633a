internal import SluiceConsole
internal import SluiceContract
internal import SluiceJSON

/// The request that verifies one binding, or why none is sent.
enum Verification {
    case ask(LocalRequest)
    case skip(reason: String)

    /// - Parameter fields: further ones that every request has.
    init(_ binding: Binding, in configuration: Configuration, fields: [(name: String, value: String)]) {
        if let reason = Self.obstacle(binding, configuration) {
            self = .skip(reason: reason)
            return
        }
        do {
            let pairs = try Self.pairs(of: binding, NamedTypes(configuration.types))
            let target = try CallTarget("GET \(binding.path)", in: [binding])
            let arguments = try CallArguments(pairs, for: target, types: configuration.types)
            var request = LocalRequest(
                method: "GET", target: try arguments.requestTarget(), authority: "",
                fields: arguments.fields + fields)
            if let cookie = arguments.cookie { request.fields.append(("Cookie", cookie)) }
            // Bypasses the cache, and has the upstream's faults reported (RFC 9111 §5.2.1.4, RFC 7240 §4.4).
            request.fields += [("Cache-Control", "no-cache"), ("Prefer", "handling=strict")]
            if let wrong = request.fields.first(where: { !LocalRequest.isValid($0) }) {
                self = .skip(reason: "'\(wrong.name)' or its example cannot stand in a header")
                return
            }
            self = .ask(request)
        } catch {
            self = .skip(reason: "\(error)")
        }
    }

    // MARK: - What can be asked

    /// Why a request cannot be sent: it would change something, or never end.
    private static func obstacle(_ binding: Binding, _ configuration: Configuration) -> String? {
        guard binding.methods.isEmpty || binding.methods.contains("GET") else {
            return "\(binding.methods.joined(separator: "|")) may change something"
        }
        if let upgrade = binding.upgrade { return "it becomes a tunnel of \(upgrade.rawValue)" }
        if case .events? = binding.rows?.format { return "its events have no end" }
        if binding.path.hasRest { return "its path ends in '**'" }
        if let method = binding.upstreamMethod, !["GET", "HEAD"].contains(method), !asksQuery(binding) {
            return "its upstream is sent \(method)"
        }
        if let part = binding.composition?.parts.first(where: \.writes) {
            return "its part '\(part.name)' may change something"
        }
        return nil
    }

    /// A query of GraphQL reads, whatever carries it.
    private static func asksQuery(_ binding: Binding) -> Bool {
        guard let text = binding.graphQL?.text else { return false }
        let start = text.drop { $0.isWhitespace }
        return start.hasPrefix("{") || start.hasPrefix("query")
    }

    // MARK: - Parameters

    private struct Missing: Error, CustomStringConvertible {
        var name: String
        var description: String {
            "'\(name)' has no example; write one: params: {\(name): {type: …, example: …}}"
        }
    }

    /// `name=value` for each example, and for what has to be there and can be one of few values.
    private static func pairs(of binding: Binding, _ types: NamedTypes) throws(Missing) -> [String] {
        var pairs: [String] = []
        for parameter in binding.parameters where !parameter.isFixed && parameter.location != .body {
            if let example = parameter.exampleJSON {
                guard let values = ExampleText.values(of: example) else { throw Missing(name: parameter.name) }
                pairs += values.map { "\(parameter.name)=\($0)" }
            } else if parameter.defaultJSON == nil, !mayBeAbsent(parameter.type, types) {
                guard let value = value(of: parameter.type, types) else { throw Missing(name: parameter.name) }
                pairs.append("\(parameter.name)=\(value)")
            }
        }
        return pairs
    }

    private static func mayBeAbsent(_ type: TypeExpression, _ types: NamedTypes) -> Bool {
        switch types.resolved(type) {
        case .optional, .array: true
        case .constrained(.array, let constraint): constraint.range?.contains(0) != false
        default: false
        }
    }

    /// Any other value would be a guess: there may be nothing of that name or number.
    private static func value(of type: TypeExpression, _ types: NamedTypes) -> String? {
        switch types.resolved(type) {
        case .literals(let texts), .open(let texts): texts.first
        case .constant(let text): text
        case .scalar(.bool): "true"
        case .constrained(.scalar(let scalar), let constraint) where scalar != .string:
            constraint.range?.lower ?? constraint.range?.upper
        case .constrained(.array(let element), _): value(of: element, types)
        case .converted(_, let to): value(of: .scalar(to), types)
        case .union(let members): members.lazy.compactMap { value(of: $0, types) }.first
        default: nil
        }
    }
}
