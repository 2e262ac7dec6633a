/// Names that other gateways and languages have for keys of this one.
enum ForeignKey {
    /// The key of `section` that an author means by `word`; nil where there is no telling.
    static func name(for word: String, in section: Section) -> String? {
        let word = word.lowercased().replacing("_", with: "-")
        return names.first { $0.words.contains(word) && section.key($0.key) != nil }?.key
    }

    private static let names: [(key: String, words: [String])] = [
        (
            "value",
            ["type", "returns", "return", "response", "result", "output", "schema", "model", "answers", "token"]
        ),
        ("to", ["path", "url", "uri", "target", "upstream", "backend", "service", "proxy", "proxy-pass", "forward"]),
        ("params", ["parameters", "query", "args", "arguments"]),
        ("body", ["request", "payload", "data", "json", "input"]),
        ("parent", ["select", "extract", "pick", "root", "jsonpath", "json-path", "key-path"]),
        ("url", ["uri", "base", "base-url", "baseurl", "address", "endpoint", "endpoints", "origin", "server"]),
        ("bearer", ["token", "auth", "authorization", "credentials", "api-key"]),
        ("fresh", ["ttl", "max-age", "expires", "expire", "expiry", "lifetime", "duration"]),
        ("bindings", ["routes", "paths", "endpoints", "locations"]),
        ("upstreams", ["backends", "services", "servers", "clusters", "apis", "origins"]),
        ("types", ["models", "schemas", "structs", "definitions", "components"]),
        ("listen", ["port", "address", "bind", "listener", "server", "host"]),
        ("address", ["host", "port", "bind", "listen"]),
        ("tls", ["ssl", "https"]),
        ("certificate", ["cert", "crt"]),
        ("protocol", ["http2", "http-version", "version"]),
        ("retry", ["retries", "attempts"]),
        ("rate", ["rate-limit", "ratelimit", "throttle", "quota"]),
        ("concurrency", ["max-connections", "parallel", "in-flight"]),
        ("log", ["logging", "logs", "log-level"]),
    ]
}
