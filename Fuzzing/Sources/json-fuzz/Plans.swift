import SluiceContract
import SluiceJSON

enum Plans {
    /// The plans that documents are tried with.
    static let all: [Plan] = {
        func path(_ text: String) -> FieldPath { FieldPath(text) ?? FieldPath(components: []) }
        let extractions: [[Extraction]] = [
            [Extraction()],
            [Extraction(type: .named("Any"))],
            [Extraction(type: .named("Page"))],
            [Extraction(type: .named("Page"), unknown: .drop, keys: .camelCase)],
            [Extraction(type: .named("Page"), keys: .camelCase)],
            [Extraction(path: path("a.b"))],
            [
                Extraction(path: path("a.*.b"), type: .array(.scalar(.int))), Extraction(path: path("a")),
                Extraction(path: path("a.1"), type: .optional(.named("Page")), unknown: .reject),
                Extraction(path: path("*.0")),
            ],
            [Extraction(path: path("a"), type: .array(.named("Row")), unknown: .drop)],
            [
                Extraction(path: path("a"), type: .array(.named("Row"))),
                Extraction(path: path("a.*.r"), type: .array(.named("Page")), unknown: .drop),
            ],
            [Extraction(path: path("a[-1].b")), Extraction(path: path("a"), type: .array(.named("Row")), unknown: .drop)],
            [Extraction(path: path("a[?b==1].c")), Extraction(path: path("*.*.b[-1]"), type: .array(.scalar(.int)))],
            [Extraction(type: .named("Parts"))], [Extraction(path: path("a"), type: .array(.named("Parts")))],
        ]
        return extractions.map { extractions in
            guard let plan = try? Plan(extractions, types: types) else { preconditionFailure("a plan is a mistake") }
            return plan
        }
    }()

    private static func field(_ name: String, _ type: TypeExpression, _ json: String? = nil) -> ObjectType.Field {
        ObjectType.Field(name: name, type: type, defaultJSON: json)
    }

    private static func part(_ name: String, _ type: TypeExpression, _ path: String) -> ObjectType.Field {
        var field = ObjectType.Field(name: name, type: type)
        field.source = FieldPath(path).map { .path($0) }
        return field
    }

    private static let types = [
        // Put together from several places.
        TypeDefinition(
            name: "Parts",
            type: .object(
                ObjectType(fields: [
                    part("one", .optional(.scalar(.int)), "a.b"), part("two", .optional(.named("Parts")), "a.c"),
                    part("last", .optional(.scalar(.json)), "r[-1].b"), part("all", .optional(.array(.scalar(.int))), "g.*.b"),
                    part("chosen", .optional(.scalar(.string)), "f[?b==\"x\"].c"),
                ]))),
        TypeDefinition(
            name: "Any",
            type: .union([
                .scalar(.string), .scalar(.decimal), .scalar(.bool), .null, .array(.named("Any")),
                .dictionary(.named("Any")),
            ])),
        TypeDefinition(
            name: "Page",
            type: .object(
                ObjectType(fields: [
                    field("a", .optional(.array(.named("Page")))), field("b", .scalar(.int), "1"),
                    field("c", .optional(.literals(["red", "green"]))), field("dE", .optional(.scalar(.url))),
                    field("f", .union([.scalar(.date(.iso8601)), .scalar(.double), .null]), "null"),
                    field("g", .optional(.dictionary(.scalar(.uint8)))),
                ]))),
        // New keys shorter and longer than the upstream's.
        TypeDefinition(
            name: "Row",
            type: .object(
                ObjectType(fields: [
                    ObjectType.Field(name: "longer than b", from: "b", type: .optional(.scalar(.int))),
                    ObjectType.Field(name: "s", from: "short", type: .optional(.scalar(.json))),
                    field("c", .optional(.scalar(.string))), field("r", .optional(.named("Row")), "null"),
                ]))),
    ]
}
