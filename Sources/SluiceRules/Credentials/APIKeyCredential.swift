public import SluiceContract

/// `api-key:`: a key in a field or in the query.
public struct APIKeyCredential: DeclaredCredential {
    public static let word = "api-key"
    public static let summary = "A key in a field, or in the query"
    public var apiKey: TokenSource?
    public var place = Place.header
    public var name = "X-API-Key"

    public enum Place: String, Hashable, Sendable, CaseIterable {
        case header, query
    }

    public init(_ apiKey: TokenSource? = nil, in place: Place = .header, name: String = "X-API-Key") {
        self.apiKey = apiKey
        self.place = place
        self.name = name
    }

    public static let usual = APIKeyCredential()
    public static let settings: [Setting<APIKeyCredential>] = [
        .part("api-key", \.apiKey, "The key sent under a name of the API's choice"),
        .choice("in", \.place, "Where an API key stands in the request"),
        .text("name", \.name, of: "a name", "The name of an API key's field or parameter"),
    ]

    public var presentation: CredentialPresentation {
        place == .header ? .field(name: name, prefix: "") : .query(name: name)
    }
    public var source: CredentialSource { .secret(apiKey ?? .value("")) }

    public func check(_ layer: Layer<APIKeyCredential>, _ scope: Scope) {
        if layer.tells("api-key") { apiKey?.check(scope / "api-key") }
        guard layer.says("name") || place == .query else { return }
        let scope = scope / "name"
        switch place {
        case .header:
            if !Name.isToken(name) {
                scope.mistake("'\(name)' cannot name a field", expected: "a name such as X-API-Key")
            } else if FieldRule.isOfMessage(name) {
                scope.mistake("'\(name)' is written by the gateway itself", expected: "a field of the API's own")
            }
        case .query:
            if !layer.says("name") {
                scope.mistake(
                    "an API key in the query needs the name of its parameter", expected: "'name:', such as api_key")
            } else if name.isEmpty
                || name.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F || "&=#+%".utf8.contains($0) })
            {
                scope.mistake("'\(name)' cannot name a parameter", expected: "a name such as api_key")
            }
        }
    }
}
