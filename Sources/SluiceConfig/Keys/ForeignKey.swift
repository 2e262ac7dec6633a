internal import SluiceContract
internal import SluiceRules

/// Names that other gateways and languages use for keys of Sluice.
enum ForeignKey {
    /// The key of `section` that an author means by `word`; nil where that is unknown.
    static func name(for word: String, in section: Section) -> String? {
        let word = word.lowercased().replacing("_", with: "-")
        return names.first { $0.words.contains(word) && section.key($0.key) != nil }?.key
    }

    /// Advice for a key that has no counterpart in Sluice; nil for most keys.
    static func advice(for word: String, in section: Section) -> String? {
        let word = word.lowercased()
        if let advice = place(for: word, in: section) { return advice }
        if section.key("to") != nil, ["method", "methods", "verb"].contains(word) {
            return "a method stands in front of the path: in the binding's key, and in 'to:' where it differs there"
        }
        if section.key("url") != nil, section.key("health") != nil, word == "port" {
            return "a port stands in the url: http://host:port"
        }
        if section.key("upgrade") != nil {
            if ["websocket", "websockets", "ws"].contains(word) { return "write upgrade: websocket" }
            if word == "grpc" { return "write upgrade: grpc" }
        }
        if ["insecure", "skip-verify", "insecure-skip-verify"].contains(word.replacing("_", with: "-")) {
            let key = section.key("verify") != nil ? "verify: false" : "tls: {verify: false}"
            if section.key("verify") != nil || section.key("tls") != nil {
                return "write \(key); everybody on the way can then read the token"
            }
        }
        if section.key("credential") != nil, kinds.contains(word.replacing("_", with: "-")) {
            return credentialAdvice
        }
        if section.key("oauth2") != nil, ["type", "kind"].contains(word) {
            return "its kind is a key: {oauth2: {…}}"
        }
        if section.key("to") != nil || section.key("url") != nil || section.key("optional") != nil,
            ["description", "summary", "title", "comment", "doc", "docs", "notes", "example"].contains(word)
        {
            return "write it behind a '#', as a comment of YAML"
        }
        guard section.key("optional") != nil else { return nil }
        if bounds.contains(word) { return "write a range behind the type: Int(1...100), String(1...80)" }
        switch word {
        case "pattern", "regex": return "write it behind the type: String(/^[a-z]+$/)"
        case "format": return "name the type: Date, URL, UUID, Data"
        case "required": return "leave it out: what has no '?' behind its type, and no default, is required"
        case "nullable", "null", "allow-null": return "write '?' behind the type"
        case "enum", "values", "choices", "oneof", "one-of": return "write the strings as the type: red | green"
        default: return nil
        }
    }

    /// Advice for what is said by other keys, or in another section, than an author expects; `word` is in lower case.
    private static func place(for word: String, in section: Section) -> String? {
        let isField = ["header", "field", "name"].contains(word)
        if isField || ["query", "parameter", "param", "in"].contains(word) {
            let key = isField ? "{api-key: {…}, name: X-API-Key}" : "{api-key: {…}, in: query, name: api_key}"
            if section.key("api-key") != nil { return "write \(key)" }
            if section.name == BearerSection.section.name {
                return "write it under 'credentials:', beside the key: \(key)"
            }
        }
        let addresses = ["listen", "address", "bind", "host", "port", "path", "endpoint", "url"]
        if section.name == MetricsSection.section.name, addresses.contains(word) {
            return "write admin: {address: 127.0.0.1:9100}; metrics and health are served there"
        }
        return nil
    }

    /// Keys that JSON Schema has beside a type, and Sluice writes after it; in lower case.
    static let bounds: Set<String> = [
        "minimum", "maximum", "min", "max", "minlength", "maxlength", "minitems", "maxitems", "exclusiveminimum",
        "exclusivemaximum", "length",
    ]

    /// The advice where a whole credential is written in the place of its name.
    static let credentialAdvice = "say it under 'credentials:' and give its name here: credential: NAME"

    /// The kinds of credentials, and their names elsewhere; without `bearer`, which may be a key in that place.
    private static let kinds = Set(CredentialKinds.all.map { $0.word }).subtracting(["bearer"])
        .union(["basic-auth", "apikey", "oauth", "oidc", "aws"])

    /// The one of `known` that an author means by `word`.
    static func choice(_ word: String, among known: [String]) -> String? {
        let others = [
            "http2": "h2", "http/2": "h2", "2": "h2", "http1": "h1", "http/1.1": "h1", "1.1": "h1", "grpc-web": "grpc",
            "ws": "websocket", "wss": "websocket", "warn": "warning", "verbose": "debug", "fatal": "critical",
            "ignore": "pass", "allow": "pass", "keep": "pass", "deny": "reject", "error": "reject", "strip": "drop",
            "remove": "drop", "no": "drop", "cached": "stale", "snake_case": "camelCase",
        ]
        return others[word.lowercased()].flatMap { known.contains($0) ? $0 : nil }
    }

    private static let names: [(key: String, words: [String])] = [
        (
            "value",
            ["type", "returns", "return", "response", "result", "output", "schema", "model", "answers", "token"]
        ),
        ("to", ["path", "url", "uri", "target", "upstream", "backend", "service", "proxy", "proxy-pass", "forward"]),
        ("params", ["parameters", "query", "args", "arguments"]),
        ("body", ["request", "payload", "data", "json", "input", "bodies"]),
        ("parent", ["select", "extract", "pick", "root", "jsonpath", "json-path", "key-path"]),
        ("url", ["uri", "base", "base-url", "baseurl", "address", "endpoint", "endpoints", "origin", "server"]),
        ("bearer", ["token", "auth", "authorization", "credentials"]),
        ("fresh", ["ttl", "max-age", "expires", "expire", "expiry", "lifetime", "duration"]),
        ("bindings", ["routes", "paths", "endpoints", "locations"]),
        ("upstreams", ["backends", "services", "servers", "clusters", "apis", "origins"]),
        ("types", ["models", "schemas", "structs", "definitions", "components"]),
        ("listen", ["port", "address", "bind", "listener", "server", "host"]),
        ("address", ["host", "port", "bind", "listen"]),
        ("tls", ["ssl", "https"]),
        ("token-url", ["token-endpoint", "token-uri"]),
        (
            "authorize-url",
            ["authorization-endpoint", "authorization-url", "authorize-endpoint", "auth-url", "auth-uri"]
        ),
        ("device-url", ["device-authorization-endpoint", "device-endpoint"]),
        ("revoke-url", ["revocation-endpoint", "revocation-url", "revoke-endpoint"]),
        ("first-byte", ["read", "response", "header"]),
        ("total", ["request", "overall", "max"]),
        ("attempts", ["times", "max", "count", "tries", "retries", "limit"]),
        ("memory", ["size", "max-size", "ram", "limit"]),
        ("certificate", ["cert", "crt"]),
        ("protocol", ["http2", "http-version", "version"]),
        ("retry", ["retries", "attempts"]),
        ("rate", ["rate-limit", "ratelimit", "throttle", "quota"]),
        ("concurrency", ["max-connections", "parallel", "in-flight"]),
        ("stale-while-revalidate", ["stale", "swr"]),
        ("answer-headers", ["response-headers", "headers-out", "answer-fields"]),
        ("user", ["username", "login"]),
        ("limit", ["max", "max-pages", "maximum"]),
        ("more", ["has-more", "hasmore", "has-next", "hasnextpage"]),
        ("last", ["is-last", "islast"]),
        ("total", ["total-count", "total-items", "count"]),
        ("total-pages", ["pages", "page-count", "last-page", "totalpages"]),
        ("connection", ["relay"]),
        ("local-urls", ["local", "links", "rewrite", "rewrite-urls"]),
        ("persisted", ["apq", "hash", "sha256", "sha256hash"]),
        ("log", ["logging", "logs", "log-level"]),
    ]
}
