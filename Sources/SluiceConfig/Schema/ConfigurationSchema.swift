import SluiceRules

/// JSON Schema (draft 2020-12) of the configuration, made from the tables that the reader uses.
public enum ConfigurationSchema {
    /// The text of `config/sluice.schema.json`.
    public static func json() -> String {
        var definitions: [(String, JSONText)] = sections.map { ($0.name, schema($0)) }
        definitions.append(("type", type))
        let root = RootSection.section
        var members: [(String, JSONText)] = [
            ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
            ("title", .string("Sluice configuration")),
        ]
        members += object(root)
        members.append(("$defs", .object(definitions)))
        return JSONText.object(members).text + "\n"
    }

    /// Every section but the root, in the order in which they are first met.
    static var sections: [Section] {
        var found: [Section] = []
        func visit(_ section: Section) {
            for shape in section.keys.map(\.shape) + [section.statuses].compactMap(\.self) { visit(shape) }
        }
        func visit(_ shape: Shape) {
            switch shape {
            case .list(let inner), .oneOrMany(let inner), .names(_, let inner), .within(let inner, _, _): visit(inner)
            case .either(let shapes): for shape in shapes { visit(shape) }
            case .section(let section), .field(let section):
                if found.contains(where: { $0.name == section.name }) { return }
                found.append(section)
                visit(section)
            case .text, .duration, .size, .flag, .integer, .choice, .path, .type, .any: break
            }
        }
        visit(RootSection.section)
        return found
    }

    private static func schema(_ section: Section) -> JSONText {
        .object([("description", .string(section.summary))] + object(section))
    }

    private static func object(_ section: Section) -> [(String, JSONText)] {
        let properties = section.keys.map { key in
            let summary = key.isRequired ? key.summary : "\(key.summary). Default: \(key.fallback)."
            return (key.name, JSONText.object([("description", .string(summary))] + schema(key.shape)))
        }
        // `limits:` without a value is an empty mapping.
        var members: [(String, JSONText)] = [
            ("type", .array([.string("object"), .string("null")])), ("properties", .object(properties)),
        ]
        if let statuses = section.statuses {
            members.append(("patternProperties", .object([("^[2-5][0-9][0-9]$", .object(schema(statuses)))])))
        }
        if section.takesExtensions { members.append(("patternProperties", .object([("^x-", .object([]))]))) }
        let required = section.keys.filter(\.isRequired).map { JSONText.string($0.name) }
        if !required.isEmpty { members.append(("required", .array(required))) }
        members.append(("additionalProperties", .literal("false")))
        return members
    }

    /// A scalar of which only the source text counts, whatever its type in YAML.
    private static let scalar: [(String, JSONText)] = [
        ("type", .array(["string", "number", "boolean"].map { .string($0) }))
    ]

    private static func schema(_ shape: Shape) -> [(String, JSONText)] {
        switch shape {
        case .text(let pattern):
            return scalar + (pattern.map { [("pattern", .string($0))] } ?? [])
        case .duration:
            return pattern("^(0|[0-9]+(ms|s|m|h|d))$", orZero: true)
        case .size:
            return pattern("^(0|[0-9]+(B|KiB|MiB|GiB))$", orZero: true)
        case .within(let shape, _, _):
            return schema(shape)
        case .flag:
            return [("type", .string("boolean"))]
        case .integer(let range):
            return [
                ("type", .string("integer")), ("minimum", .literal(String(range.lowerBound))),
                ("maximum", .literal(String(range.upperBound))),
            ]
        case .choice(let words):
            // `false` and `true` are words of the configuration and truth values of YAML.
            return [("enum", .array(words.map { ["true", "false"].contains($0) ? .literal($0) : .string($0) }))]
        case .path:
            return scalar
        case .list(let item):
            return [("type", .string("array")), ("items", .object(schema(item)))]
        case .oneOrMany(let item):
            return anyOf([.object(schema(item)), .object(schema(.list(item)))])
        case .names(let pattern, let value):
            var members: [(String, JSONText)] = [("type", .array([.string("object"), .string("null")]))]
            if let pattern { members.append(("propertyNames", .object([("pattern", .string(pattern))]))) }
            members.append(("additionalProperties", .object(schema(value))))
            return members
        case .section(let section):
            return reference(section.name)
        case .either(let shapes):
            return anyOf(shapes.map { .object(schema($0)) })
        case .type:
            return reference("type")
        case .field(let section):
            return [
                ("if", .object(longForm(section))), ("then", .object(reference(section.name))),
                ("else", .object(anyOf([.object(reference(section.name)), .object(reference("type"))]))),
            ]
        case .any:
            return []
        }
    }

    private static func pattern(_ pattern: String, orZero: Bool) -> [(String, JSONText)] {
        [
            ("type", .array([.string("string"), .string("integer")])), ("pattern", .string(pattern)),
            ("maximum", .literal("0")),
        ]
    }

    /// A mapping with `type` that the reader takes for the long form and not for an object: it has another of the
    /// section's keys, or a key that JSON Schema has beside a type. With `fixed` it needs no type, and may be an
    /// object.
    private static func longForm(_ section: Section) -> [(String, JSONText)] {
        func has(_ key: String) -> (String, JSONText) { ("required", .array([.string(key)])) }
        var ways: [JSONText] = []
        for key in section.keys where key.name != "type" && key.name != "fixed" {
            ways.append(.object([has(key.name)]))
        }
        let flag = JSONText.object([("required", .object([("type", .string("boolean"))]))])
        ways.append(.object([has("required"), ("properties", flag)]))
        var members: [(String, JSONText)] = [("type", .string("object")), has("type"), ("anyOf", .array(ways))]
        if section.key("fixed") != nil { members.append(("not", .object([has("fixed")]))) }
        return members
    }

    private static func anyOf(_ schemas: [JSONText]) -> [(String, JSONText)] {
        [("anyOf", .array(schemas))]
    }

    private static func reference(_ name: String) -> [(String, JSONText)] {
        [("$ref", .string("#/$defs/\(name)"))]
    }

    /// The notation as text, a list of one type, or a mapping of fields; the schema does not check the grammar of the
    /// notation.
    private static var type: JSONText {
        .object([
            (
                "description",
                .string("A type in Swift notation: Int, [Fruit], Int?, Int(1...9), red | green, {\"*\": Fruit}")
            ),
            (
                "anyOf",
                .array([
                    .object(scalar + [("minLength", .literal("1"))]),
                    .object([
                        ("type", .string("array")), ("items", .object(reference("type"))),
                        ("minItems", .literal("1")), ("maxItems", .literal("1")),
                    ]),
                    .object([
                        ("type", .string("object")),
                        ("additionalProperties", .object(schema(.field(FieldSection.section)))),
                    ]),
                ])
            ),
        ])
    }
}
