import SluiceContract
import SluiceRules

/// `cache:` of the whole gateway.
extension Explain {
    static func store(_ cache: CacheSettings, _ writer: inout YAMLWriter) {
        writer.mapping("cache") { writer in
            writer.key("memory", Quantity.text(bytes: cache.memoryBytes))
            writer.key("entry", Quantity.text(bytes: cache.entryBytes))
            if let path = cache.diskPath {
                writer.key("disk", path)
                writer.key("disk-bytes", Quantity.text(bytes: cache.diskBytes))
            }
            guard let shared = cache.shared else { return }
            writer.mapping("shared") { writer in
                writer.key("url", url(shared))
                switch shared.password {
                case nil: break
                case .value: writer.raw("password", "{value: \(redacted)}")
                case .env(let name): writer.raw("password", "{env: \(YAMLWriter.scalar(name))}")
                case .file(let path): writer.raw("password", "{file: \(YAMLWriter.scalar(path))}")
                }
                if let tls = shared.tls { Explain.tls(tls, &writer) }
                writer.key("connect", Quantity.text(shared.connectTimeout))
                writer.key("reply", Quantity.text(shared.replyTimeout))
            }
        }
    }

    /// The URL without its password.
    private static func url(_ shared: CacheSettings.SharedStore) -> String {
        switch shared.address {
        case .unix(let path): return "redis://" + path
        case .tcp(let host, let port):
            let user = shared.user.map { PercentText.encoded($0) + "@" } ?? ""
            let database = shared.database == 0 ? "" : "/\(shared.database)"
            let scheme = shared.tls == nil ? "redis" : "rediss"
            return "\(scheme)://\(user)\(host.contains(":") ? "[\(host)]" : host):\(port)\(database)"
        }
    }
}

extension Explain {
    /// A comment for a binding with a cache: what the upstream is told about clients, and that answers are stored
    /// separately by it.
    static func forwarded(_ upstream: Upstream, _ policy: CachePolicy) -> String? {
        let all = ForwardedRule(upstream)
        let rule = all.storing(policy)
        let told = rule.told.union(rule.passed)
        var names: [String] = []
        if told.contains(.host) { names.append("host") }
        if told.contains(.proto) { names.append("scheme") }
        if told.contains(.for) { names.append("client's address") }
        var parts: [String] = []
        if let last = names.popLast() {
            let list = names.isEmpty ? last : names.joined(separator: ", ") + " and " + last
            parts.append("An answer is stored for each \(list), which '\(upstream.name)' is told.")
        }
        if rule != all { parts.append("'\(upstream.name)' is not told the client's address.") }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}
