public import SluiceContract
import SluiceRules

/// A recorded exchange as a file: YAML that a person reads, and that keeps every byte.
public enum RecordingFile {
    /// What the files end with.
    public static let ending = ".yaml"

    // MARK: - Writing

    public static func text(of exchange: RecordedExchange) -> String {
        var text = "# Recorded by sluice record.\n"
        func line(_ depth: Int, _ name: String, _ value: String) {
            text += String(repeating: "  ", count: depth) + name + ": " + value + "\n"
        }
        line(0, "upstream", YAMLWriter.block(exchange.upstream))
        if let binding = exchange.binding { line(0, "binding", YAMLWriter.block(binding)) }
        if let origin = exchange.origin { line(0, "origin", quoted(origin)) }
        line(0, "at", "\(exchange.at)")
        line(0, "milliseconds", "\(exchange.milliseconds)")
        line(0, "number", "\(exchange.number)")
        if !exchange.leftOut.isEmpty {
            line(0, "without", "[" + exchange.leftOut.map(quoted).joined(separator: ", ") + "]")
        }
        text += "request:\n"
        line(1, "method", exchange.method)
        line(1, "target", quoted(exchange.target))
        text += fields(exchange.requestFields) + body(exchange.requestBody)
        text += "answer:\n"
        line(1, "status", "\(exchange.status)")
        text += fields(exchange.fields) + body(exchange.body)
        return text
    }

    private static func fields(_ fields: [HeaderSetting]) -> String {
        if fields.isEmpty { return "" }
        return "  headers:\n"
            + fields.map { "    - \(YAMLWriter.block($0.name)): \(quoted($0.value))\n" }.joined()
    }

    private static func body(_ bytes: [UInt8]) -> String {
        if bytes.isEmpty { return "" }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return "  base64: \(RecordedBytes.text(bytes))\n"
        }
        return "  body: " + (block(text) ?? quoted(text)) + "\n"
    }

    /// As lines, where YAML keeps each of their characters.
    private static func block(_ text: String) -> String? {
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            scalar == "\n" || scalar == "\t" || (scalar.value >= 0x20 && !isSpecial(scalar))
        }
        guard isPlain, text.contains(where: { $0 != "\n" && $0 != " " && $0 != "\t" }) else { return nil }
        let ends = text.utf8.reversed().prefix { $0 == UInt8(ascii: "\n") }.count
        let chomping = ends == 0 ? "-" : ends == 1 ? "" : "+"
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast(ends == 0 ? 0 : 1)
        return "|2\(chomping)\n" + lines.map { $0.isEmpty ? "" : "    " + $0 }.joined(separator: "\n")
    }

    /// A text in double quotes; what YAML takes for the end of a line is written as an escape.
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20 || isSpecial(scalar):
                let digits = String(scalar.value, radix: 16)
                result += "\\U" + String(repeating: "0", count: 8 - digits.utf8.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// Characters that YAML does not print, or takes for something else (YAML 1.2 §5.1, §5.4).
    private static func isSpecial(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x7F...0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: true
        default: scalar.value & 0xFFFE == 0xFFFE
        }
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

    private static let answer = Section(
        name: "recording.answer", summary: "What was answered",
        keys: [.required("status", .integer(100...599), "Status")] + contents)

    /// - Parameter name: of the file, for findings.
    /// - Throws: everything that is wrong with it.
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
            func integer(_ name: String, _ set: (Int) -> Void) {
                if let node = fields.node(name), let number = context.integer(node, 0...Int.max) { set(number) }
            }
            integer("at") { made.at = Int64($0) }
            integer("milliseconds") { made.milliseconds = $0 }
            integer("number") { made.number = $0 }
            if let node = fields.node("without") { made.leftOut = context.items(node).compactMap { text($0) } }
            guard upstream != nil, let request = asked, let answer = answered else { return }
            Fields.read(request, Self.request, context) { fields in
                made.method = text(fields.required("method")) ?? ""
                made.target = text(fields.required("target")) ?? ""
                (made.requestFields, made.requestBody) = contents(fields, context)
            }
            Fields.read(answer, Self.answer, context) { fields in
                if let node = fields.required("status"), let status = context.integer(node, 200...599) {
                    made.status = status
                    if !(200...599).contains(status) {
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

    private static func contents(_ fields: Fields, _ context: ReadingContext) -> ([HeaderSetting], [UInt8]) {
        var list: [HeaderSetting] = []
        for item in fields.node("headers").map({ context.items($0) }) ?? [] {
            guard let entry = item.entries?.first, let name = entry.key.text, let value = literal(entry.value, context)
            else {
                context.findings.mistake(at: item.place, "\(item.kind) is no field", expected: "- name: value")
                continue
            }
            if !Name.isToken(name) || value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) {
                context.findings.mistake(
                    at: item.place, "this cannot be a field", expected: "a field name and one line of text")
                continue
            }
            list.append(HeaderSetting(name: name, value: value))
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

    /// As it stands: nothing is filled into what was recorded.
    private static func literal(_ node: SourceNode, _ context: ReadingContext) -> String? {
        if let text = node.text { return text }
        context.findings.mistake(at: node.place, "\(node.kind) where a text is wanted", expected: "a text")
        return nil
    }
}
