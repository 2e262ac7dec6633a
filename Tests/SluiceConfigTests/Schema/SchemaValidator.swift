import Foundation
import SluiceRules

@testable import SluiceConfig

/// As much of a JSON Schema validator as the configuration's schema uses; any other keyword is an error. JSON is YAML,
/// so schemas are read with the reader's own front end.
struct SchemaValidator {
    private let root: SourceNode

    struct Unusable: Error {
        var reason: String
    }

    init(_ json: String) throws {
        let findings = Findings(file: "schema", text: json)
        guard let root = SourceDocument.root(findings), findings.mistakes.isEmpty else {
            throw Unusable(reason: "\(findings.mistakes)")
        }
        self.root = root
        try Self.check(root)
    }

    /// Paths and reasons.
    func faults(of node: SourceNode) -> [String] {
        faults(node, root, at: "$")
    }

    private static let keywords: Set<String> = [
        "$schema", "$defs", "$ref", "title", "description", "type", "properties", "patternProperties",
        "additionalProperties", "required", "propertyNames", "items", "minItems", "maxItems", "anyOf", "enum",
        "pattern", "minLength", "minimum", "maximum", "if", "then", "else", "not",
    ]

    private static func check(_ schema: SourceNode) throws {
        for entry in schema.entries ?? [] {
            let name = entry.key.text ?? ""
            guard keywords.contains(name) else { throw Unusable(reason: "unknown keyword \(name)") }
            switch name {
            case "properties", "patternProperties", "$defs":
                for inner in entry.value.entries ?? [] { try check(inner.value) }
            case "items", "propertyNames", "additionalProperties", "if", "then", "else", "not": try check(entry.value)
            case "anyOf": for inner in entry.value.items ?? [] { try check(inner) }
            default: break
            }
        }
    }

    private func faults(_ value: SourceNode, _ schema: SourceNode, at path: String) -> [String] {
        if let reference = schema.value("$ref")?.text {
            let name = String(reference.dropFirst("#/$defs/".count))
            guard let target = root.value("$defs")?.value(name) else { return ["\(path): no definition \(name)"] }
            return faults(value, target, at: path)
        }
        var faults = scalarFaults(value, schema, at: path)
        if let branches = schema.value("anyOf")?.items {
            let results = branches.map { self.faults(value, $0, at: path) }
            if results.allSatisfy({ !$0.isEmpty }) { faults.append("\(path): none of \(results)") }
        }
        if let condition = schema.value("if") {
            let isMet = self.faults(value, condition, at: path).isEmpty
            if let branch = schema.value(isMet ? "then" : "else") { faults += self.faults(value, branch, at: path) }
        }
        if let refused = schema.value("not"), self.faults(value, refused, at: path).isEmpty {
            faults.append("\(path): what it must not be")
        }
        if value.entries != nil { faults += objectFaults(value, schema, at: path) }
        if let items = value.items {
            if let least = number(schema, "minItems"), items.count < least { faults.append("\(path): too short") }
            if let most = number(schema, "maxItems"), items.count > most { faults.append("\(path): too long") }
            if let schema = schema.value("items") {
                for (index, item) in items.enumerated() { faults += self.faults(item, schema, at: "\(path)[\(index)]") }
            }
        }
        return faults
    }

    private func objectFaults(_ object: SourceNode, _ schema: SourceNode, at path: String) -> [String] {
        var faults: [String] = []
        for name in schema.value("required")?.items?.compactMap(\.text) ?? [] where object.value(name) == nil {
            faults.append("\(path): lacks \(name)")
        }
        for entry in object.entries ?? [] {
            let name = entry.key.text ?? ""
            let place = "\(path).\(name)"
            if let names = schema.value("propertyNames") { faults += self.faults(entry.key, names, at: place) }
            let matching = (schema.value("patternProperties")?.entries ?? [])
                .filter { matches(name, $0.key.text ?? "") }.map(\.value)
            let schemas = [schema.value("properties")?.value(name)].compactMap(\.self) + matching
            for schema in schemas { faults += self.faults(entry.value, schema, at: place) }
            guard schemas.isEmpty, let rest = schema.value("additionalProperties") else { continue }
            if rest.text == "false" {
                faults.append("\(path): unknown \(name)")
            } else {
                faults += self.faults(entry.value, rest, at: place)
            }
        }
        return faults
    }

    private func scalarFaults(_ value: SourceNode, _ schema: SourceNode, at path: String) -> [String] {
        var faults: [String] = []
        let kind = Self.kind(value)
        if let type = schema.value("type") {
            let types = type.items?.compactMap(\.text) ?? [type.text ?? ""]
            let isFit = types.contains(kind) || (kind == "integer" && types.contains("number"))
            if !isFit { faults.append("\(path): \(kind), not \(types)") }
        }
        if let allowed = schema.value("enum")?.items,
            !allowed.contains(where: { $0.text == value.text && Self.kind($0) == kind })
        {
            faults.append("\(path): not one of \(allowed.compactMap(\.text))")
        }
        guard let text = value.text else { return faults }
        if kind == "string" {
            if let pattern = schema.value("pattern")?.text, !matches(text, pattern) {
                faults.append("\(path): '\(text)' does not match \(pattern)")
            }
            if let least = number(schema, "minLength"), text.count < least { faults.append("\(path): empty") }
        }
        if kind == "integer", let number = Int(text) {
            if let least = self.number(schema, "minimum"), number < least { faults.append("\(path): below \(least)") }
            if let most = self.number(schema, "maximum"), number > most { faults.append("\(path): above \(most)") }
        }
        return faults
    }

    /// The JSON type that YAML's core schema gives a node: what editors hand to a validator.
    private static func kind(_ node: SourceNode) -> String {
        switch node.content {
        case .mapping: return "object"
        case .sequence: return "array"
        case .scalar(let scalar):
            guard scalar.style == .plain, let literal = PlainJSON.literal(scalar.text) else { return "string" }
            switch literal {
            case "null": return "null"
            case "true", "false": return "boolean"
            default: return Int(literal) == nil ? "number" : "integer"
            }
        }
    }

    private func number(_ schema: SourceNode, _ name: String) -> Int? {
        schema.value(name)?.text.flatMap { Int($0) }
    }

    private func matches(_ text: String, _ pattern: String) -> Bool {
        text.range(of: pattern, options: .regularExpression) != nil
    }
}
