internal import SluiceContract

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
