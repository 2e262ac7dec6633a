public import SluiceContract
import SluiceRules

/// A recorded exchange as a file: YAML that a person can read and that keeps every byte.
public enum RecordingFile {
    /// The ending of the files' names.
    public static let ending = ".yaml"

    // MARK: - Writing

    public static func text(of exchange: RecordedExchange) -> String {
        var text = "# Recorded by sluice record.\n"
        func line(_ depth: Int, _ name: String, _ value: String) {
            text += String(repeating: "  ", count: depth) + name + ": " + value + "\n"
        }
        line(0, "upstream", YAMLWriter.block(exchange.upstream))
        if let binding = exchange.binding { line(0, "binding", YAMLWriter.block(binding)) }
        if let origin = exchange.origin { line(0, "origin", PlainJSON.string(origin)) }
        line(0, "at", "\(exchange.at)")
        line(0, "milliseconds", "\(exchange.milliseconds)")
        line(0, "number", "\(exchange.number)")
        for (name, names) in [("without", exchange.leftOut), ("compare", exchange.compared)] where !names.isEmpty {
            line(0, name, "[" + names.map(PlainJSON.string).joined(separator: ", ") + "]")
        }
        text += "request:\n"
        line(1, "method", YAMLWriter.block(exchange.method))
        line(1, "target", PlainJSON.string(exchange.target))
        text += fields(exchange.requestFields) + body(exchange.requestBody)
        text += "answer:\n"
        line(1, "status", "\(exchange.status)")
        text += fields(exchange.fields) + body(exchange.body)
        return text
    }

    private static func fields(_ fields: [HeaderSetting]) -> String {
        if fields.isEmpty { return "" }
        return "  headers:\n"
            + fields.map { "    - \(YAMLWriter.block($0.name)): \(PlainJSON.string($0.value))\n" }.joined()
    }

    private static func body(_ bytes: [UInt8]) -> String {
        if bytes.isEmpty { return "" }
        if let text = String(validating: bytes, as: UTF8.self) {
            let written = block(text) ?? PlainJSON.string(text)
            // A text that is mostly escapes would be unreadable; base64 is used instead.
            if written.utf8.count <= 3 * bytes.count + 64 { return "  body: \(written)\n" }
        }
        return "  base64: \(RecordedBytes.text(bytes))\n"
    }

    /// The text as a literal block; nil where YAML would not keep each of its characters.
    private static func block(_ text: String) -> String? {
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            scalar == "\n" || scalar == "\t" || !PlainJSON.mustBeEscaped(scalar)
        }
        guard isPlain, text.contains(where: { $0 != "\n" && $0 != " " && $0 != "\t" }) else { return nil }
        let ends = text.utf8.reversed().prefix { $0 == UInt8(ascii: "\n") }.count
        let chomping = ends == 0 ? "-" : ends == 1 ? "" : "+"
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast(ends == 0 ? 0 : 1)
        return "|2\(chomping)\n" + lines.map { $0.isEmpty ? "" : "    " + $0 }.joined(separator: "\n")
    }

    // MARK: - Reading

    private static let section = Section(
        name: "recording", summary: "A recorded exchange",
        keys: [
            .required("upstream", .text(), "The upstream that was asked"),
            .init("binding", .text(), "The binding that asked"), .init("origin", .text(), "Where it was asked"),
            .init("at", .integer(0...Int.max), "When, in milliseconds since 1970"),
            .init("milliseconds", .integer(0...Int.max), "How long it took"),
            .init("number", .integer(1...Int.max), default: "1", "Place among the same requests"),
            .init("without", .list(.text()), "Names that are left out"),
            .init("compare", .list(.text()), "Names that are kept and compared, though they sound like secrets"),
            .required("request", .section(request), "What was asked"),
            .required("answer", .section(answer), "What was answered"),
        ])

    private static let contents: [Section.Key] = [
        .init("headers", .list(.any), "Fields, each as a mapping of one key"), .init("body", .text(), "Text"),
        .init("base64", .text(), "Bytes that are no text"),
    ]

    private static let request = Section(
        name: "recording.request", summary: "What was asked",
        keys: [.required("method", .text(), "Method"), .required("target", .text(), "Path and query")] + contents)

    private static let statuses = 200...599

    private static let answer = Section(
        name: "recording.answer", summary: "What was answered",
        keys: [.required("status", .integer(statuses), "Status")] + contents)

    /// - Parameter name: the file's name, for findings.
    /// - Throws: all mistakes of the file.
    public static func exchange(of bytes: [UInt8], name: String) throws(Unreadable) -> RecordedExchange {
        let findings = Findings(file: name, text: String(decoding: bytes, as: UTF8.self))
        let context = ReadingContext(reader: ConfigurationReader(path: name), findings: findings)
        guard let root = ConfigurationReader.root(of: bytes, findings) else {
            throw Unreadable(mistakes: findings.mistakes)
        }
        guard let exchange = exchange(root, context), findings.mistakes.isEmpty else {
            throw Unreadable(mistakes: findings.mistakes)
        }
        return exchange
    }

    public struct Unreadable: Error {
        public var mistakes: [Mistake]
    }

    private static func exchange(_ root: SourceNode, _ context: ReadingContext) -> RecordedExchange? {
        var exchange: RecordedExchange?
        func text(_ node: SourceNode?) -> String? { node.flatMap { literal($0, context) } }
        Fields.read(root, section, context) { fields in
            let upstream = text(fields.required("upstream"))
            let (asked, answered) = (fields.required("request"), fields.required("answer"))
            var made = RecordedExchange(upstream: upstream ?? "", method: "", target: "", status: 0)
            made.binding = text(fields.node("binding"))
            made.origin = text(fields.node("origin"))
            func integer(_ name: String, _ least: Int, _ set: (Int) -> Void) {
                guard let node = fields.node(name), let number = context.integer(node, least...Int.max) else { return }
                if number < least {
                    context.findings.mistake(
                        at: node.place, "\(number) is out of range", expected: Quantity.expected(least...Int.max))
                }
                set(number)
            }
            integer("at", 0) { made.at = Int64($0) }
            integer("milliseconds", 0) { made.milliseconds = $0 }
            integer("number", 1) { made.number = $0 }
            func names(_ name: String) -> [String] {
                fields.node(name).map { context.items($0).compactMap { text($0) } } ?? []
            }
            (made.leftOut, made.compared) = (names("without"), names("compare"))
            guard upstream != nil, let request = asked, let answer = answered else { return }
            Fields.read(request, Self.request, context) { fields in
                made.method = method(fields, context) ?? ""
                made.target = text(fields.required("target")) ?? ""
                (made.requestFields, made.requestBody) = contents(fields, context)
            }
            Fields.read(answer, Self.answer, context) { fields in
                if let node = fields.required("status"), let status = context.integer(node, statuses) {
                    made.status = status
                    if !statuses.contains(status) {
                        context.findings.mistake(
                            at: node.place, "\(status) is no status of an answer", expected: "200 to 599")
                    }
                }
                (made.fields, made.body) = contents(fields, context)
            }
            exchange = made
        }
        return exchange
    }

    private static func method(_ fields: Fields, _ context: ReadingContext) -> String? {
        guard let node = fields.required("method"), let method = literal(node, context) else { return nil }
        if !isMethod(method) {
            context.findings.mistake(at: node.place, "'\(method)' is no method", expected: "a method, such as GET")
        }
        return method
    }

    /// Whether a field is valid: its name is a token, its value one line of text.
    public static func isField(_ field: HeaderSetting) -> Bool {
        Name.isToken(field.name) && field.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }

    /// Whether `method` can be the method of a request.
    public static func isMethod(_ method: String) -> Bool { Name.isToken(method) }

    private static func contents(_ fields: Fields, _ context: ReadingContext) -> ([HeaderSetting], [UInt8]) {
        var list: [HeaderSetting] = []
        for item in fields.node("headers").map({ context.items($0) }) ?? [] {
            guard let entry = item.entries?.first, let name = entry.key.text, let value = literal(entry.value, context)
            else {
                context.findings.mistake(at: item.place, "\(item.kind) is no field", expected: "- name: value")
                continue
            }
            let field = HeaderSetting(name: name, value: value)
            if !isField(field) {
                context.findings.mistake(
                    at: item.place, "this cannot be a field", expected: "a field name and one line of text")
                continue
            }
            list.append(field)
        }
        let plain = fields.node("body")
        if let node = fields.node("base64"), let text = literal(node, context) {
            guard let bytes = RecordedBytes.bytes(text) else {
                context.findings.mistake(at: node.place, "this is no base64", expected: "RFC 4648 §4")
                return (list, [])
            }
            return (list, bytes)
        }
        return (list, plain.flatMap { literal($0, context) }.map { Array($0.utf8) } ?? [])
    }

    /// The text as it is: recordings have no variables.
    private static func literal(_ node: SourceNode, _ context: ReadingContext) -> String? {
        if let text = node.text { return text }
        context.findings.mistake(at: node.place, "\(node.kind) where a text is wanted", expected: "a text")
        return nil
    }
}
