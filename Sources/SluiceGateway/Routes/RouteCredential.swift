public import SluiceContract

/// Which of the table's credentials the requests of a route show.
enum RouteCredential: Sendable {
    case none
    /// Its position in the table.
    case one(Int)
    case byClient(Map)

    /// A credential for each client.
    struct Map: Sendable {
        var clients: [String: Given] = [:]
        var users: [UInt32: Given] = [:]
        var otherwise = Given.refused
    }

    enum Given: Sendable {
        case none
        case one(Int)
        case refused
    }

    /// - Parameter positions: of the table's credentials, by name.
    init(_ choice: CredentialChoice, _ positions: [String: Int]) {
        func given(_ given: CredentialChoice.Given) -> Given {
            switch given {
            case .none: .none
            case .refused: .refused
            case .named(let name): positions[name].map { .one($0) } ?? .refused
            }
        }
        switch choice {
        case .none: self = .none
        case .named(let name): self = positions[name].map { .one($0) } ?? .none
        case .byClient(let entries, let otherwise):
            var map = Map(otherwise: given(otherwise))
            for entry in entries {
                switch entry.client {
                case .client(let name): map.clients[name] = given(entry.given)
                case .user(let number): map.users[number] = given(entry.given)
                }
            }
            self = .byClient(map)
        }
    }

    var isNone: Bool { if case .none = self { true } else { false } }
    var isByClient: Bool { if case .byClient = self { true } else { false } }
}

extension Configuration {
    /// All that requests may show: what is declared, and the bearers that upstreams have of their own.
    public var shownCredentials: [Credential] {
        let keepers = Set(bindings.lazy.filter { $0.keep != nil }.map(\.upstream))
        let own = upstreams.filter { $0.credential == nil && ($0.bearer != nil || keepers.contains($0.name)) }
        return credentials + own.map { Credential(name: $0.bearerName, kind: UpstreamBearer($0.bearer)) }
    }
}

extension Upstream {
    /// What its own bearer is called among credentials; no declared one has a blank in its name.
    public var bearerName: String { "bearer of \(name)" }
}

extension Upstream {
    /// What a binding's requests show: what it says itself, or else what its upstream has.
    public func credential(of binding: Binding, _ keepers: Set<String>) -> CredentialChoice {
        if let own = binding.credential { return own }
        if !binding.sendsBearer { return .none }
        return credential ?? (bearer != nil || keepers.contains(name) ? .named(bearerName) : .none)
    }

    func hasCredentialByClient(_ binding: Binding) -> Bool {
        if case .byClient = binding.credential ?? credential { true } else { false }
    }
}

/// `bearer:` of an upstream, or the token that a binding keeps for it.
struct UpstreamBearer: CredentialKind {
    static let word = "bearer"
    let token: TokenSource?

    init(_ token: TokenSource?) {
        self.token = token
    }

    var presentation: CredentialPresentation { .bearer }
    var source: CredentialSource { token.map { .secret($0) } ?? .answer }
}
