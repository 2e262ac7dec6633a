import SluiceContract
import SluiceRules

/// `parts:` of a binding: requests to other bindings, of which its answer is composed.
enum PartsSection {
    static let namePattern = "^[A-Za-z_][A-Za-z0-9_-]*$"

    static let section = Section(
        name: "binding.parts", summary: "One part of a binding that is made of others",
        keys: [
            .required("from", .text(pattern: requestPattern), "What is asked: a method, and a local target"),
            .init("each", .path, "A list of another part: what is asked is asked for each element"),
            .init("as", .text(), "What an element is called"),
            .init(
                "at-once", .integer(Composition.atOnceRange), default: String(Composition.atOnceUsual),
                "Elements that are asked for at the same time"),
            .init("optional", .flag, default: "false", "Whether the answer may do without it"),
            .init("body", .path, "What is sent: request for the client's body, or a value of another part"),
        ], bareKey: "from")

    static let shape = Shape.either([.text(pattern: requestPattern), .section(section)])

    private static let requestPattern = "^[A-Z]+ /\\S*.*$"

    static func read(_ node: SourceNode, _ context: ReadingContext) -> BindingDeclaration.Parts {
        var parts: [Composition.Part?] = []
        for (name, _, value) in context.named(
            node, what: "parts: a name and a request each, such as user: GET /users/{id}")
        {
            parts.append(part(name, value, context))
        }
        let read = parts.compactMap { $0 }
        guard read.count == parts.count, node.entries != nil || node.isNull else { return .unread }
        return .composed(Composition(read))
    }

    private static func part(_ name: String, _ node: SourceNode, _ context: ReadingContext) -> Composition.Part? {
        guard node.entries != nil else { return request(name, node, context) }
        var part: Composition.Part?
        Fields.read(node, section, context) { fields in
            part = fields.required("from").flatMap { request(name, $0, context) }
            var each: Composition.Reference?
            var body: Composition.Reference?
            var alias: String?
            var atOnce = Composition.atOnceUsual
            var isOptional = false
            fields.set("each", &each) { reference($0, context) }
            fields.set("as", &alias) { context.text($0, what: "a name") }
            fields.set("at-once", &atOnce) { context.integer($0, Composition.atOnceRange) }
            fields.set("optional", &isOptional) { context.flag($0) }
            fields.set("body", &body) { reference($0, context) }
            guard var read = part else { return }
            (read.each, read.alias, read.atOnce) = (each, alias, atOnce)
            (read.isOptional, read.body) = (isOptional, body)
            // A reference that could not be read is reported, and makes the part unusable.
            part = fields.has("each") && each == nil || fields.has("body") && body == nil ? nil : read
        }
        return part
    }

    private static func request(_ name: String, _ node: SourceNode, _ context: ReadingContext) -> Composition.Part? {
        guard let text = context.text(node, what: "a request, such as GET /users/{id}") else { return nil }
        do {
            return try Composition.Part(name, reading: text)
        } catch {
            context.findings.mistake(at: node.place, "\(error.message)", expected: error.expected)
            return nil
        }
    }

    private static func reference(_ node: SourceNode, _ context: ReadingContext) -> Composition.Reference? {
        guard let text = context.text(node, what: "a value of a part, such as user.badges") else { return nil }
        do {
            return try Composition.Reference(reading: text)
        } catch {
            context.findings.mistake(at: node.place, "\(error.message)", expected: error.expected)
            return nil
        }
    }
}

extension Composition {
    /// Writes the parts in the notation of a page.
    func write(_ writer: inout YAMLWriter) {
        writer.mapping("parts") { writer in
            for part in parts {
                if part.isPlain {
                    writer.key(part.name, part.description)
                    continue
                }
                writer.mapping(part.name) { writer in
                    writer.key("from", part.description)
                    if let each = part.each { writer.key("each", each.description) }
                    if let alias = part.alias { writer.key("as", alias) }
                    if part.atOnce != Composition.atOnceUsual { writer.raw("at-once", String(part.atOnce)) }
                    if part.isOptional { writer.raw("optional", "true") }
                    if let body = part.body { writer.key("body", body.description) }
                }
            }
        }
    }
}

extension Composition.Part {
    /// Whether the part consists of its request alone.
    fileprivate var isPlain: Bool {
        each == nil && alias == nil && atOnce == Composition.atOnceUsual && !isOptional && body == nil
    }
}
