extension Configuration {
    /// All that requests may show: what is declared, and the bearers that upstreams have of their own.
    public var shownCredentials: [Credential] {
        let keepers = Set(bindings.lazy.filter { $0.keep != nil }.map(\.upstream))
        let own = upstreams.filter { $0.credential == nil && ($0.bearer != nil || keepers.contains($0.name)) }
        return credentials + own.map { Credential(name: $0.bearerName, kind: UpstreamBearer($0.bearer)) }
    }
}

extension Configuration {
    /// The bindings whose answers bring a credential (`keep:`), by name.
    public func sources(of credential: Credential) -> [String] {
        guard credential.kind is UpstreamBearer,
            let upstream = upstreams.first(where: { $0.bearerName == credential.name })
        else { return [] }
        return bindings.filter { $0.keep != nil && $0.upstream == upstream.name }.map(\.name)
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

    public func hasCredentialByClient(_ binding: Binding) -> Bool {
        if case .byClient = binding.credential ?? credential { true } else { false }
    }
}

/// `bearer:` of an upstream, or the token that a binding keeps for it.
public struct UpstreamBearer: CredentialKind {
    public static let word = "bearer"
    let token: TokenSource?

    public init(_ token: TokenSource?) {
        self.token = token
    }

    public var presentation: CredentialPresentation { .bearer }
    public var source: CredentialSource { token.map { .secret($0) } ?? .answer }
}
