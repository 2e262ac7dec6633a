internal import SluiceContract

/// All that bindings say, and what their upstreams say of answers: texts that are the same where these say the same.
///
/// Where answers outlive the process or are shared with others, the texts have to be the same in every process. Then
/// they are Swift's descriptions of whole values, so that they include every property, also one that is added later.
/// They take long to make. Many bindings differ in little, so each binding's own properties are described separately,
/// and the description of equal rests is made once. Otherwise they are hashes with keys of this process.
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

    /// What named types say.
    func text(of types: [TypeDefinition]) -> String {
        guard arePortable else { return Self.hash(types) }
        return types.map { "\($0.name): \(text(of: $0.type))\n" }.joined()
    }

    func text(of binding: Binding, _ upstream: Upstream) -> String {
        let answering = Self.answering(upstream)
        return arePortable ? words(of: binding, answering) : "\(Self.hash(binding)) \(Self.hash(answering)) "
    }

    /// Of 128 bits: two of the keyed hashes that the standard library has.
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

    /// With what the words for its request leave out: its name, its list, and what is sent.
    private static func text(of part: Composition.Part) -> String {
        Mirror(reflecting: part).children.map { "\($0.label ?? "") \($0.value) " }.joined()
    }

    /// With what the notation of a type leaves out: keys of the upstream, and the rule for others.
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

    /// Sets and dictionaries have an order of their own in each process.
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

    /// Without what is known to make no other answers; what is missing here only makes stored ones be asked for anew.
    private static func answering(_ upstream: Upstream) -> Upstream {
        var plain = upstream
        let usual = Upstream(name: "", origin: upstream.origin)
        // Its endpoints serve the same.
        plain.alternates = []
        // The token's hash is a part of the key by itself.
        plain.bearer = nil
        plain.credential = nil
        // How and when it is asked, and not for what.
        (plain.tls, plain.httpVersion, plain.timeout) = (usual.tls, usual.httpVersion, usual.timeout)
        (plain.idle, plain.idleConnectionsMax, plain.connectionsMax) = (
            usual.idle, usual.idleConnectionsMax, usual.connectionsMax
        )
        (plain.queueMax, plain.ping, plain.pingTimeout, plain.gather) = (
            usual.queueMax, usual.ping, usual.pingTimeout, usual.gather
        )
        (plain.rate, plain.concurrency, plain.pauseMax) = (nil, nil, usual.pauseMax)
        (plain.breaker, plain.health, plain.retryBudget) = (nil, nil, usual.retryBudget)
        // What answers are read in is decoded before they are stored, or kept apart by Vary.
        plain.acceptedCodings = usual.acceptedCodings
        return plain
    }
}
