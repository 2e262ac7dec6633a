internal import SluiceContract

/// What the requests of a route show, worked out in advance. Requests without a credential pay for a comparison.
struct RouteCredentials: Sendable {
    /// Which of the table's credentials all of them show; ``none`` and ``byClient`` are below any position.
    let position: Int
    /// Where it is a credential for each client.
    let map: CredentialMap?
    /// The fields of the client that credentials take the place of.
    let fields: [[UInt8]]
    /// Whether some credential is shown in a field of the head.
    let isInField: Bool
    /// Whether some credential is shown in the query.
    let isInQuery: Bool
    /// The parameters of the query that credentials take the place of.
    let parameters: [[UInt8]]
    /// Whether a body is kept for a while, because the credential may have to be renewed.
    let isRenewable: Bool
    /// Whether some credential signs requests.
    let isSigned: Bool
    /// Whether one of them signs bodies, which are held for that.
    let coversBody: Bool
    /// Whether one of them has to hold nonces of servers.
    let takesNonces: Bool
    /// Where `keep:` puts a token.
    let kept: Int?

    static let none = -1
    static let byClient = -2

    init(_ binding: Binding, _ upstream: Upstream, _ common: RouteCommon) {
        let choice = upstream.credential(of: binding, common.keepers)
        let positions = common.credentialPositions
        switch choice {
        case .none: (position, map) = (Self.none, nil)
        case .named(let name): (position, map) = (positions[name] ?? Self.none, nil)
        case .byClient(let entries, let otherwise):
            (position, map) = (Self.byClient, CredentialMap(entries, otherwise: otherwise, positions))
        }
        let kinds = choice.names.compactMap { positions[$0] }.map { common.credentials[$0].kind }
        let presentations = kinds.map(\.presentation)
        fields = presentations.flatMap { presentation -> [[UInt8]] in
            switch presentation {
            case .field(let name, _): [Array(name.utf8)]
            case .query: []
            case .signature(let any):
                (any.signature.fieldNames + any.signature.droppedFieldNames).map { Array($0.utf8) }
            }
        }
        parameters = presentations.compactMap { if case .query(let name) = $0 { Array(name.utf8) } else { nil } }
        isInField = presentations.contains { if case .field = $0 { true } else { false } }
        isInQuery = !parameters.isEmpty
        isSigned = presentations.contains { $0.signature != nil }
        coversBody = presentations.contains { $0.signature?.coversBody == true }
        takesNonces = presentations.contains { $0.signature?.serverNonce != nil }
        isRenewable = kinds.contains { $0.source.isRenewable }
        kept = binding.keep == nil ? nil : positions[upstream.bearerName]
    }

    var isNone: Bool { position == Self.none }
    /// Whether each client has one of its own.
    var isByClient: Bool { position == Self.byClient }
}

/// A credential for each client, by position in the table.
struct CredentialMap: Sendable {
    var clients: [String: Given] = [:]
    var users: [UInt32: Given] = [:]
    var otherwise: Given

    enum Given: Sendable {
        case none
        case one(Int)
        case refused
    }

    /// - Parameter positions: of the table's credentials, by name.
    init(_ entries: [CredentialChoice.Entry], otherwise: CredentialChoice.Given, _ positions: [String: Int]) {
        func given(_ given: CredentialChoice.Given) -> Given {
            switch given {
            case .none: .none
            case .refused: .refused
            case .named(let name): positions[name].map { .one($0) } ?? .refused
            }
        }
        self.otherwise = given(otherwise)
        for entry in entries {
            switch entry.client {
            case .client(let name): clients[name] = given(entry.given)
            case .user(let number): users[number] = given(entry.given)
            }
        }
    }
}
