internal import SluiceContract

/// Texts that stand for bindings and for what their upstreams say of answers: equal settings make equal texts.
///
/// Where answers outlive the process or are shared with others, the texts have to be the same in every process. Then
/// they are Swift's descriptions of whole values, so that they include every property, even one that is added later.
/// They take long to make. Many bindings differ in little, so each binding's own properties are described separately,
/// and equal remainders are described once. Otherwise the texts are hashes with keys of this process.
final class BindingTexts {
    private let arePortable: Bool
    private var rests: [Binding: String] = [:]
    private var parameters: [Parameter: String] = [:]
    private var types: [TypeExpression: String] = [:]
    private var upstreams: [Upstream: String] = [:]

    /// - Parameter arePortable: whether other processes have to make the same texts.
    init(arePortable: Bool) {
        self.arePortable = arePortable
    }

    /// The text of the named types.
    func text(of types: [TypeDefinition]) -> String {
        guard arePortable else { return Self.hash(types) }
        return types.map { "\($0.name): \(text(of: $0.type))\n" }.joined()
    }

    func text(of binding: Binding, _ upstream: Upstream) -> String {
        let answering = Self.answering(upstream)
        return arePortable ? words(of: binding, answering) : "\(Self.hash(binding)) \(Self.hash(answering)) "
    }

    /// A hash of 128 bits: two of the standard library's keyed hashes.
    private static func hash(_ value: some Hashable) -> String {
        func half(_ number: UInt8) -> Int {
            var hasher = Hasher()
            hasher.combine(number)
            hasher.combine(value)
            return hasher.finalize()
        }
        return "\(half(0)) \(half(1))"
    }

    private func words(of binding: Binding, _ upstream: Upstream) -> String {
        var rest = binding
        rest.methods = []
        rest.path = Self.root
        rest.upstreamPath = Self.root
        rest.parent = nil
        rest.parameters = []
        rest.value = nil
        rest.valueByStatus = [:]
        rest.body = .passThrough
        rest.composition?.parts = []
        var text = "\(binding.name) \(binding.upstreamPath) \(binding.parent?.description ?? "none") "
        for parameter in binding.parameters { text += self.text(of: parameter) }
        if let value = binding.value { text += self.text(of: value) }
        for (status, value) in binding.valueByStatus.sorted(by: { $0.key < $1.key }) {
            text += "\(status) \(self.text(of: value)) "
        }
        for part in binding.composition?.parts ?? [] { text += Self.text(of: part) }
        switch binding.body {
        case .json(let type): text += "json \(self.text(of: type)) "
        case .form(let object): text += "form \(self.text(of: .object(object))) "
        case .passThrough, .none, .text, .raw, .multipart: text += "\(binding.body) "
        }
        return text + self.text(rest: rest) + self.text(of: upstream)
    }

    private static let root = PathTemplate(segments: [], hasRest: false)

    private func text(of parameter: Parameter) -> String {
        if let text = parameters[parameter] { return text }
        var rest = parameter
        rest.type = .null
        let text = "\(rest) \(text(of: parameter.type)) "
        parameters[parameter] = text
        return text
    }

    /// Every property of the part, because the description of a part leaves out its name, its list and what it sends.
    private static func text(of part: Composition.Part) -> String {
        Mirror(reflecting: part).children.map { "\($0.label ?? "") \($0.value) " }.joined()
    }

    /// The notation of a type, and what the notation leaves out: the upstream's keys, and the rule for other keys.
    private func text(of type: TypeExpression) -> String {
        if let text = types[type] { return text }
        let text = Self.text(type)
        types[type] = text
        return text
    }

    private static func text(_ type: TypeExpression) -> String {
        switch type {
        case .scalar, .literals, .open, .constant, .converted, .null, .named: return "\(type)"
        case .constrained(let inner, let constraint): return "\(text(inner))(\(constraint))"
        case .array(let inner): return "[\(text(inner))]"
        case .dictionary(let inner): return "{*: \(text(inner))}"
        case .optional(let inner): return "(\(text(inner)))?"
        case .union(let members): return "(" + members.map(text).joined(separator: " | ") + ")"
        case .choice(let choice):
            let named =
                choice.alternatives.map { "\($0.value): \(text($0.type))" } + [choice.others.map(text) ?? "none"]
            return "{union \(choice.key) \(named.joined(separator: ", "))}"
        case .object(let object):
            var rest = object
            rest.fields = []
            let fields = object.fields.map { field in
                var rest = field
                rest.type = .null
                return "\(rest): \(text(field.type))"
            }
            return "{\(rest) \(fields.joined(separator: ", "))}"
        }
    }

    /// Sorts sets and dictionaries, because their order differs between processes.
    private func text(rest: Binding) -> String {
        if let text = rests[rest] { return text }
        var plain = rest
        plain.errorByStatus = [:]
        plain.retry?.on = []
        let errors = rest.errorByStatus.sorted { $0.key < $1.key }
        let causes = (rest.retry?.on ?? []).map { "\($0)" }.sorted()
        let text = "\(plain) \(errors) \(causes)"
        rests[rest] = text
        return text
    }

    private func text(of upstream: Upstream) -> String {
        if let text = upstreams[upstream] { return text }
        var plain = upstream
        plain.errorByStatus = [:]
        let text = "\(plain) \(upstream.errorByStatus.sorted { $0.key < $1.key })"
        upstreams[upstream] = text
        return text
    }

    /// The upstream without settings that cannot change its answers. A setting that stays in needlessly only makes
    /// stored answers be fetched anew.
    private static func answering(_ upstream: Upstream) -> Upstream {
        var plain = upstream
        let usual = Upstream(name: "", origin: upstream.origin)
        // All endpoints of an upstream serve the same.
        plain.alternates = []
        // The token's hash is a separate part of the key.
        plain.bearer = nil
        plain.credential = nil
        // These say how and when the upstream is asked, not for what.
        (plain.tls, plain.httpVersion, plain.timeout) = (usual.tls, usual.httpVersion, usual.timeout)
        (plain.idle, plain.idleConnectionsMax, plain.connectionsMax) = (
            usual.idle, usual.idleConnectionsMax, usual.connectionsMax
        )
        (plain.queueMax, plain.ping, plain.pingTimeout, plain.gather) = (
            usual.queueMax, usual.ping, usual.pingTimeout, usual.gather
        )
        (plain.rate, plain.concurrency, plain.pauseMax) = (nil, nil, usual.pauseMax)
        (plain.breaker, plain.health, plain.retryBudget) = (nil, nil, usual.retryBudget)
        // Codings are removed before an answer is stored, or Vary keeps them apart.
        plain.acceptedCodings = usual.acceptedCodings
        return plain
    }
}
