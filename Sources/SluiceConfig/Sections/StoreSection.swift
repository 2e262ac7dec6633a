import SluiceContract
import SluiceRules

/// `cache:` of the whole gateway.
enum StoreSection {
    static let section = Section(
        name: "store", summary: "Where stored answers are kept, for all bindings with a cache",
        keys: [
            CacheSettings.key("memory"), CacheSettings.key("entry"),
            .init("disk", .text(), "Folder where stored answers outlive the process; made where it is missing"),
            CacheSettings.key("disk-bytes"),
            .init(
                "shared", .either([.text(), .section(SharedStoreSection.section)]),
                "URL of a Redis or Valkey that gateways share stored answers through, or a mapping"),
        ], bareKey: "memory")

    /// The folder need not exist: the gateway creates it when it starts.
    fileprivate static func folder(_ node: SourceNode, _ context: ReadingContext) -> String? {
        guard let name = context.text(node, what: "the path of a folder") else { return nil }
        if name.isEmpty || name.utf8.contains(0) {
            context.findings.mistake(at: node.place, "no path", expected: "the path of a folder")
            return nil
        }
        let path = context.beside(name)
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}

extension CacheSettings: SettingNotation {
    static var shape: Shape { .section(StoreSection.section) }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<CacheSettings>? {
        var layer = Layer<CacheSettings>()
        Fields.read(node, StoreSection.section, context) { fields in
            fields.read(settings, into: &layer)
            fields.say("disk", \.diskPath, in: &layer) { StoreSection.folder($0, context) }
            guard let node = fields.node("shared") else { return }
            if let shared = SharedStoreSection.saying(node, context) {
                layer.say("shared", \.shared, shared)
            } else {
                layer.sayUnread("shared")
            }
        }
        return .layer(layer)
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        Explain.store(self, &writer)
    }
}
