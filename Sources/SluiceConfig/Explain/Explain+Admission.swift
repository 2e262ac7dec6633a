import SluiceContract
import SluiceRules

extension Explain {
    static func clients(_ configuration: Configuration, _ writer: inout YAMLWriter) {
        guard !configuration.clients.isEmpty else { return }
        writer.mapping("clients") { writer in
            for client in configuration.clients {
                writer.mapping(client.name) { writer in
                    let digests = client.keyDigests.map { "\"\(Hexadecimal.text($0))\"" }
                    writer.raw("key", "[" + digests.joined(separator: ", ") + "]")
                    if let rate = client.rate { writer.key("rate", rate.description) }
                }
            }
        }
    }

    /// The grants on one line; also used for listeners.
    static func grants(_ grants: Grants?) -> String {
        guard let grants else { return "any" }
        let clients = grants.clients.map(YAMLWriter.scalar).joined(separator: ", ")
        let subjects = grants.subjects.map { YAMLWriter.scalar($0.description) }.joined(separator: ", ")
        return "{uid: \(grants.users), gid: \(grants.groups), client: [\(clients)], subject: [\(subjects)]}"
    }

    static func limits(_ rate: RateLimit?, _ concurrency: ConcurrencyLimit?, _ writer: inout YAMLWriter) {
        rate?.write("rate", &writer)
        concurrency?.write("concurrency", &writer)
    }
}
