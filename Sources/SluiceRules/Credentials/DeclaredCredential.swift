public import SluiceContract

/// A kind of credential as the configuration declares it: a table of settings like every other part of it.
///
/// A new kind is one file with such a type, and one line in ``CredentialKinds``; `docs/ADDING.md` shows one.
public protocol DeclaredCredential: CredentialKind, Layered {
    /// Whether its settings stand beside its word (`{api-key: …, in: query}`) and not below it (`oauth2: {…}`). The
    /// first of them has that name then.
    static var isFlat: Bool { get }
    /// One sentence without its full stop.
    static var summary: String { get }
}

extension DeclaredCredential {
    public static var isFlat: Bool { true }
}

/// Every kind that there is.
public enum CredentialKinds {
    public static let all: [any DeclaredCredential.Type] = [
        BearerCredential.self,
        BasicCredential.self,
        APIKeyCredential.self,
        ProgramCredential.self,
        OAuth2Client.self,
        AWSCredential.self,
        HMACCredential.self,
    ]

    /// For messages.
    public static var keyList: String { all.map { $0.word }.joined(separator: ", ") }
}

/// A credential as its author says it.
public struct CredentialDeclaration: Sendable {
    public var name: String
    /// Makes the kind of what is said; nil where it could not be read, which is told already.
    let make: (@Sendable (Scope) -> any CredentialKind)?

    public init<Kind: DeclaredCredential>(_ name: String, _ layer: Layer<Kind>) {
        self.name = name
        make = { scope in
            var kind = Kind.usual
            kind.add(layer, Kind.isFlat ? scope : scope / Kind.word)
            return kind
        }
    }

    /// One that could not be read.
    public init(unread name: String) {
        self.name = name
        make = nil
    }

    public init(_ credential: Credential) {
        func declare(_ kind: some DeclaredCredential) -> CredentialDeclaration {
            CredentialDeclaration(credential.name, Layer(differencesOf: kind))
        }
        if let kind = credential.kind as? any DeclaredCredential {
            self = declare(kind)
        } else {
            // A kind of a program's own, about which no table says anything.
            name = credential.name
            make = { _ in credential.kind }
        }
    }
}
