import SluiceContract
import SluiceRules

/// `metrics:`.
enum MetricsSection {
    static let section = Section(
        name: "metrics", summary: "What is counted for operators",
        keys: [
            .init(
                "buckets", .oneOrMany(.duration), default: bounds(MetricsSettings.usual),
                "Upper bounds of the buckets of histograms of time, in ascending order")
        ])

    fileprivate static func bounds(_ settings: MetricsSettings) -> String {
        "[\(settings.buckets.map { Quantity.text($0) }.joined(separator: ", "))]"
    }
}

extension MetricsSettings: SettingNotation {
    static var shape: Shape { .section(MetricsSection.section) }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<MetricsSettings>? {
        var layer = Layer<MetricsSettings>()
        Fields.read(node, MetricsSection.section, context) { fields in
            guard let node = fields.node("buckets") else { return }
            if let bounds = context.all(node, context.duration) {
                layer.say("buckets", \.buckets, bounds)
            } else {
                layer.sayUnread("buckets")
            }
        }
        return .layer(layer)
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        writer.mapping(name) { $0.raw("buckets", MetricsSection.bounds(self)) }
    }
}
