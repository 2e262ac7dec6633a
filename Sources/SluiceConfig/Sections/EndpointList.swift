import SluiceContract
import SluiceRules

/// `url:` of an upstream: one URL, or a list of equivalent endpoints.
enum EndpointList {
    static func read(_ node: SourceNode, _ context: ReadingContext) -> [UpstreamDeclaration.Endpoint?] {
        let nodes = context.items(node)
        if nodes.isEmpty {
            context.findings.mistake(at: node.place, "the list is empty", expected: "a URL at least")
        }
        return nodes.map { OriginURL.read($0, context) }
    }
}
