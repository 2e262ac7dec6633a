internal import SluiceContract

/// What the requests of a route show, worked out in advance.
struct RouteCredentials: Sendable {
    let choice: RouteCredential
    /// The fields of the client that credentials take the place of.
    let fields: [[UInt8]]
    /// The parameters of the query that do.
    let parameters: [[UInt8]]
    var isInQuery: Bool { !parameters.isEmpty }
    /// Whether a body is kept for a while, because the credential may have to be renewed.
    let isRenewable: Bool
    /// Whether one of them signs bodies, which are held for that.
    let coversBody: Bool
    /// Whether one of them has to hold nonces of servers.
    let takesNonces: Bool
    /// Where `keep:` puts a token.
    let kept: Int?

    init(_ binding: Binding, _ upstream: Upstream, _ common: RouteCommon) {
        let choice = upstream.credential(of: binding, common.keepers)
        self.choice = RouteCredential(choice, common.credentialPositions)
        let kinds = choice.names.compactMap { common.credentialPositions[$0] }.map { common.credentials[$0].kind }
        let presentations = kinds.map(\.presentation)
        fields = presentations.flatMap { presentation -> [[UInt8]] in
            switch presentation {
            case .field(let name, _): [Array(name.utf8)]
            case .query: []
            case .signature(let any): any.signature.fieldNames.map { Array($0.utf8) }
            }
        }
        coversBody = presentations.contains { $0.signature?.coversBody == true }
        takesNonces = presentations.contains { $0.signature?.serverNonce != nil }
        parameters = presentations.compactMap { if case .query(let name) = $0 { Array(name.utf8) } else { nil } }
        isRenewable = kinds.contains { $0.source.isRenewable }
        kept = binding.keep == nil ? nil : common.credentialPositions[upstream.bearerName]
    }
}

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
}
