import SluiceSigning

/// What stands in a token.
struct TokenParts {
    let header: String
    let payload: String

    init(_ token: String) {
        let parts = token.split(separator: ".").map {
            String(decoding: Base64URL.decode(String($0)) ?? [], as: UTF8.self)
        }
        header = parts[0]
        payload = parts[1]
    }
}
