import SluiceContract
import SluiceRules

/// `url:` of an upstream.
enum OriginURL {
    static func read(_ node: SourceNode, _ context: ReadingContext) -> UpstreamDeclaration.Endpoint? {
        guard let text = context.text(node, what: "a URL") else { return nil }
        do throws(OriginText.Malformed) {
            return try OriginText.read(text)
        } catch {
            context.findings.mistake(
                at: node.place(at: error.offset), error.message, expected: error.expected,
                suggestion: error.suggestion)
            return nil
        }
    }
}
