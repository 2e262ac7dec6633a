import SluiceContract
import SluiceRules

/// `defaults:`: the first layer of settings; the upstream's own settings override it, and the binding's override both.
enum DefaultsSection {
    static let section = Section(
        name: "defaults", summary: "Settings for all upstreams and bindings that say nothing else",
        keys: Upstream.keys + Binding.keys)

    static func read(_ node: SourceNode, _ context: ReadingContext, into declaration: inout ConfigurationDeclaration) {
        Fields.read(node, section, context) { fields in
            declaration.upstreamDefaults = fields.layer()
            declaration.bindingDefaults = fields.layer()
        }
    }
}
