import SluiceContract
import SluiceRules

/// `health:` of an upstream.
enum HealthSection {
    static let section = Section(
        name: "upstream.health", summary: "How endpoints are asked whether they are well",
        keys: [
            .required("path", .text(pattern: "^/"), "Path of the question, from the root of the host")
        ] + HealthPolicy.keys, bareKey: "path")
}

extension HealthPolicy: SettingNotation {
    static var shape: Shape { .section(HealthSection.section) }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<HealthPolicy>? {
        var layer = Layer<HealthPolicy>()
        Fields.read(node, HealthSection.section, context) { fields in
            _ = fields.required("path")
            fields.say("path", \.path, in: &layer) { context.text($0, what: "a path") }
            fields.read(HealthPolicy.settings, into: &layer)
        }
        return .layer(layer)
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        writer.mapping(name) { writer in
            writer.key("path", ShownText.url(path))
            writer.settings(of: self)
        }
    }
}
