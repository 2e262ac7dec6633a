import SluiceContract
import SluiceRules

/// `pool:` of an upstream; all numbers are per event loop.
enum PoolSection {
    static let section = Section(
        name: "upstream.pool", summary: "Connections to an upstream, per event loop", keys: Upstream.Pool.keys)
}

extension Upstream.Pool: SettingNotation {
    static var shape: Shape { .section(PoolSection.section) }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<Upstream.Pool>? {
        Fields.layer(node, PoolSection.section, context)
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        writer.mapping(name) { $0.settings(of: self) }
    }
}
