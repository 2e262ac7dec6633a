import SluiceContract

extension Explain {
    static func clients(_ configuration: Configuration, _ writer: inout YAMLWriter) {
        if let rate = configuration.clientRate { writer.key("client-rate", RateNotation.text(rate)) }
        guard !configuration.clients.isEmpty else { return }
        writer.mapping("clients") { writer in
            for client in configuration.clients {
                writer.mapping(client.name) { writer in
                    let digests = client.keyDigests.map { "\"\(hexadecimal($0))\"" }
                    writer.raw("key", "[" + digests.joined(separator: ", ") + "]")
                    if let rate = client.rate { writer.key("rate", RateNotation.text(rate)) }
                }
            }
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    static func crossOrigin(_ policy: CrossOriginPolicy?, _ writer: inout YAMLWriter) {
        guard let policy else { return writer.raw("cors", "false") }
        writer.mapping("cors") { writer in
            switch policy.origins {
            case .any: writer.key("origins", "any")
            case .list(let origins): writer.list("origins", origins)
            }
            if let headers = policy.headers { writer.list("headers", headers) } else { writer.key("headers", "any") }
            writer.list("expose", policy.expose)
            writer.raw("credentials", String(policy.credentials))
            writer.key("max-age", Quantity.text(policy.maxAge))
            writer.raw("private-network", String(policy.privateNetwork))
        }
    }

    /// In one line, for listeners too.
    static func grants(_ grants: Grants?) -> String {
        guard let grants else { return "any" }
        let clients = grants.clients.map(YAMLWriter.scalar).joined(separator: ", ")
        let subjects = grants.subjects.map { YAMLWriter.scalar($0.description) }.joined(separator: ", ")
        return "{uid: \(grants.users), gid: \(grants.groups), client: [\(clients)], subject: [\(subjects)]}"
    }

    static func limits(_ rate: RateLimit?, _ concurrency: ConcurrencyLimit?, _ writer: inout YAMLWriter) {
        if let rate { writer.key("rate", RateNotation.text(rate)) }
        guard let concurrency else { return }
        let wait = Quantity.text(concurrency.wait)
        writer.raw("concurrency", "{limit: \(concurrency.limit), queue: \(concurrency.queue), wait: \(wait)}")
    }
}
