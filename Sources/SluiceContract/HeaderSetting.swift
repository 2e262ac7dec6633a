/// What becomes of the fields of one name on their way.
public struct HeaderSetting: Hashable, Sendable {
    public var name: String
    /// What it says; empty where ``origin`` is no constant.
    public var value: String
    public var origin: Origin

    public enum Origin: Hashable, Sendable {
        case constant
        /// It says what a variable or a file holds.
        case secret(TokenSource)
        /// It says what the sender's field of this name does, which does not go on.
        case field(String)
        /// It does not go on.
        case nothing
    }

    public init(name: String, value: String) {
        self.name = name
        self.value = value
        origin = .constant
    }

    public init(name: String, _ origin: Origin) {
        self.name = name
        self.origin = origin
        value = ""
    }

    public var secret: TokenSource? {
        if case .secret(let source) = origin { source } else { nil }
    }
}

/// `answer-headers:`: fields of answers that are set, renamed or dropped.
public struct AnswerHeaders: Hashable, Sendable {
    public var fields: [HeaderSetting]

    public init(_ fields: [HeaderSetting] = []) {
        self.fields = fields
    }
}

/// `idempotency-key:`: a field with which an API tells a request that is sent again from another one, so that a POST
/// may be sent again, too (draft-ietf-httpapi-idempotency-key-header).
public struct IdempotencyKey: Hashable, Sendable {
    public var field: String

    public init(_ field: String) {
        self.field = field
    }
}

extension TokenSource {
    /// By which a secret is kept that is no upstream's bearer: no upstream has such a name. nil for a constant.
    public var vaultName: String? {
        switch self {
        case .value: nil
        case .env(let name): "env:\(name)"
        case .file(let path): "file:\(path)"
        }
    }
}

extension Configuration {
    /// Variables and files that requests get values from, bearers aside, each once.
    public var secrets: [TokenSource] {
        var found: [TokenSource] = []
        func add(_ source: TokenSource?) {
            if let source, source.vaultName != nil, !found.contains(source) { found.append(source) }
        }
        for upstream in upstreams { for header in upstream.headers { add(header.secret) } }
        for binding in bindings {
            for header in binding.headers { add(header.secret) }
            for parameter in binding.parameters { add(parameter.source) }
        }
        return found
    }
}
