internal import SluiceContract

/// The credentials of a route's requests, worked out in advance. Without a credential, a request costs one comparison.
struct RouteCredentials: Sendable {
    /// Position of the credential that all requests use; ``none`` and ``byClient`` are negative.
    let position: Int
    /// The credential of each client, where clients have their own.
    let map: CredentialMap?
    /// The client's fields that credentials replace.
    let fields: [[UInt8]]
    /// Whether some credential is sent in a header field.
    let isInField: Bool
    /// Whether some credential is sent in the query.
    let isInQuery: Bool
    /// The query parameters that credentials replace.
    let parameters: [[UInt8]]
    /// Whether the request body is kept for a while, because the request is sent again when the credential was renewed.
    let isRenewable: Bool
    /// Whether some credential signs requests.
    let isSigned: Bool
    /// Whether some credential signs bodies, which are buffered for that.
    let coversBody: Bool
    /// Whether some credential uses nonces that servers send.
    let takesNonces: Bool
    /// Position of the credential that `keep:` sets.
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
    /// Whether each client has its own credential.
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
