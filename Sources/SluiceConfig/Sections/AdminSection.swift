import SluiceContract
import SluiceRules

/// `admin:`: the Unix socket of `sluice cache` and `sluice reload`, and an address for metrics and health.
enum AdminSection {
    static let off = "off"

    static let section = Section(
        name: "admin", summary: "Where the gateway is administered and watched",
        keys: [
            .init(
                "socket", .text(), default: off, "The Unix socket of 'sluice cache' and 'sluice reload', by its path"),
            .init(
                "address", .text(), default: off,
                "An address of the loopback that answers /metrics, /healthz and /readyz, and nothing else"),
            .init(
                "key", .oneOrMany(.text(pattern: "^[0-9A-Fa-f]{64}$")),
                "Digest (SHA-256) of the key that has to be shown at the address, from 'sluice key'; several while "
                    + "keys change"),
        ],
        holdsSecrets: true)

    static let shape = Shape.either([.text(), .section(section)])

    static func read(_ node: SourceNode, _ context: ReadingContext, into declaration: inout ConfigurationDeclaration) {
        guard node.entries != nil else {
            declaration.admin = socket(node, context) ?? nil
            return
        }
        Fields.read(node, section, context) { fields in
            if let node = fields.node("socket") { declaration.admin = socket(node, context) ?? nil }
            let keys = fields.node("key")
            let digests = keys.map(context.items) ?? []
            var monitor = MonitorDeclaration(nil, keyDigests: digests.map { ClientsSection.digest($0, context) })
            if let node = fields.node("address") {
                if node.isOff { return }
                monitor.address = ListenSection.address(node, context)
                declaration.monitor = monitor
            } else if let keys {
                context.findings.mistake(
                    at: keys.place, "a key without an address; the socket knows its users",
                    expected: "address: 127.0.0.1:9100 beside it")
            }
        }
    }

    /// - Returns: `.some(nil)` for off; nil where the node is wrong.
    private static func socket(_ node: SourceNode, _ context: ReadingContext) -> String?? {
        guard let text = context.text(node, what: "a path, or off") else { return nil }
        if node.isOff { return .some(nil) }
        if !text.hasPrefix("/"), !text.hasPrefix("unix:") {
            // A loopback address is open to every user of the machine and to every page in a browser.
            context.findings.mistake(
                at: node.place, "'\(text)' is no Unix socket; the gateway is administered on one alone",
                expected: "an absolute path, or off", suggestion: .didYouMean("/run/sluice/admin.sock"))
            return nil
        }
        return .some(text.hasPrefix("unix:") ? String(text.dropFirst(5)) : text)
    }
}
