import SluiceContract
import SluiceRules

/// `concurrency:` of a binding or an upstream: a number, or a mapping with the queue behind it.
enum ConcurrencySection {
    static let section = Section(
        name: "concurrency", summary: "Requests in flight, over all event loops, and those that wait",
        keys: ConcurrencyLimit.keys)
}

extension ConcurrencyLimit: SettingNotation {
    static var shape: Shape {
        .either([ConcurrencyLimit.key("limit").shape, .section(ConcurrencySection.section)])
    }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<ConcurrencyLimit>? {
        if node.entries == nil {
            guard case .number(let limit)? = context.value(node, settings[0].kind) else { return nil }
            var layer = Layer<ConcurrencyLimit>()
            layer.set(\.limit, to: limit)
            return .layer(layer)
        }
        var layer: Layer<ConcurrencyLimit>?
        Fields.read(node, ConcurrencySection.section, context) { fields in
            let read = fields.layer(of: ConcurrencyLimit.self)
            if fields.required("limit") != nil { layer = read }
        }
        return layer.map { .layer($0) }
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        let wait = Quantity.text(wait)
        writer.raw(name, "{limit: \(limit), queue: \(queue), wait: \(wait)}")
    }
}
