/// The admin socket's report on how a request would be handled, which is not sent.
struct CacheReport: Decodable {
    var request: String
    var binding: String
    var upstream: String
    var upstreamTarget: String
    var key: String?
    var keyParts: KeyParts?
    var policy: Policy?
    var stored: CacheEntry?
    var cacheStatus: String?
    var outcome: String
    var rule: String
    var reason: String

    struct KeyParts: Decodable {
        var target: String?
        var parameters: [String]?
        var bearer: Bool
        var host: String?
        var scheme: String?
        var vary: [String]
        var client: String?

        var words: String {
            var parts: [String] = []
            if let target { parts.append(target) }
            if let parameters { parts.append("parameters \(parameters.joined(separator: ", "))") }
            if let host { parts.append("host \(host)") }
            if let scheme { parts.append("scheme \(scheme)") }
            if bearer { parts.append("the bearer") }
            if !vary.isEmpty { parts.append("fields \(vary.joined(separator: ", "))") }
            if let client { parts.append("client \(client)") }
            return parts.joined(separator: "; ")
        }
    }

    struct Policy: Decodable {
        var fresh: Int?
        var staleWhileRevalidate: Int?
        var staleIfError: Int?
        var retryAfterError: Int?
        var serve: [String]
        var tags: [String]

        var words: String {
            var parts = [fresh.map { "fresh \($0) s" } ?? "fresh as the upstream says"]
            if let staleWhileRevalidate { parts.append("stale-while-revalidate \(staleWhileRevalidate) s") }
            if let staleIfError { parts.append("stale-if-error \(staleIfError) s") }
            if let retryAfterError { parts.append("retry-after-error \(retryAfterError) s") }
            parts.append("serve \(serve.joined(separator: ", "))")
            if !tags.isEmpty { parts.append("tags \(tags.joined(separator: ", "))") }
            return parts.joined(separator: "; ")
        }
    }

    var page: String {
        var lines = [
            "\(outcome) (\(rule)): \(reason)", "", "request   \(request)", "binding   \(binding)",
            "upstream  \(upstream) \(upstreamTarget)",
        ]
        if let keyParts, let key { lines += ["key       \(keyParts.words)", "          \(key)"] }
        if let policy { lines.append("policy    \(policy.words)") }
        if let stored {
            lines.append(
                "stored    \(stored.status), \(stored.size), \(stored.state): \(stored.age) s old, "
                    + "fresh until \(stored.lifetime) s")
        } else if key != nil {
            lines.append("stored    nothing")
        }
        if let cacheStatus { lines.append("answer    Cache-Status: \(cacheStatus)") }
        return lines.joined(separator: "\n")
    }
}
