import SluiceContract
import SluiceRules

/// `clients:`: local programs that are known by their API keys.
enum ClientsSection {
    static let section = Section(
        name: "client", summary: "A local program that is known by its API key",
        keys: [
            .required(
                "key", .oneOrMany(.text(pattern: "^[0-9A-Fa-f]{64}$")),
                "Digest (SHA-256) of its key in hexadecimal digits, from 'sluice key'; several while keys change"),
            .init("rate", RateNotation.shape, default: "client-rate", "Its own rate, such as 100/s burst 20"),
        ],
        holdsSecrets: true)

    static func read(_ node: SourceNode?, _ context: ReadingContext) -> [ClientDeclaration] {
        guard let node else { return [] }
        var clients: [ClientDeclaration] = []
        for (name, _, value) in context.named(node, what: "clients by name") {
            hide(value, context)
            Fields.read(value, section, context) { fields in
                let digests = fields.required("key").map(context.items) ?? []
                var client = ClientDeclaration(name, keyDigests: digests.map { digest($0, context) })
                fields.set("rate", &client.rate) { RateNotation.read($0, context) }
                clients.append(client)
            }
        }
        return clients
    }

    /// Hides unknown keys (`{sluice_…}`): one may be the client's API key in the place of its digest.
    private static func hide(_ node: SourceNode, _ context: ReadingContext) {
        let known = section.keys.map(\.name)
        for entry in node.entries ?? [] where !known.contains(entry.key.text ?? "") {
            context.findings.hide(lineOf: entry.key.place)
        }
    }

    /// A text that is not a digest may be the API key itself, so it is not shown.
    static func digest(_ node: SourceNode, _ context: ReadingContext) -> [UInt8]? {
        let digits = Array((node.text ?? "").utf8)
        guard digits.count == 64, let digest = Hexadecimal.bytes(digits) else {
            context.findings.hide(lineOf: node.place)
            context.findings.mistake(
                at: node.place, "this is no SHA-256 of a key", expected: "64 hexadecimal digits",
                suggestion: .advice("'sluice key' makes a key and its digest, 'sluice key --digest' that of yours"))
            return nil
        }
        return digest
    }
}
