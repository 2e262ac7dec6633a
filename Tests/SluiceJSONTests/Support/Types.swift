import SluiceContract
import SluiceJSON

/// Short ways to write types and plans in tests.
extension TypeExpression {
    static let int = TypeExpression.scalar(.int)
    static let string = TypeExpression.scalar(.string)
    static let bool = TypeExpression.scalar(.bool)

    static func fields(_ fields: ObjectType.Field..., unknown: UnknownKeys? = nil) -> TypeExpression {
        .object(ObjectType(fields: fields, unknown: unknown))
    }
}

extension ObjectType.Field {
    init(_ name: String, _ type: TypeExpression, from: String? = nil, default json: String? = nil) {
        self.init(name: name, from: from, type: type, defaultJSON: json)
    }
}

/// The fruit of the design.
let fruitTypes = [
    TypeDefinition(
        name: "Fruit",
        type: .fields(
            .init("name", .string), .init("size", .int), .init("color", .literals(["red", "green", "yellow"])),
            .init("ripe", .bool, default: "true"), .init("picked", .optional(.scalar(.date(.iso8601))))))
]

extension Plan {
    /// One slice.
    convenience init(
        _ path: String = "", _ type: TypeExpression? = nil, unknown: UnknownKeys = .pass, keys: KeyStyle = .verbatim,
        direction: Extraction.Direction = .fromUpstream, limits: JSONLimits = JSONLimits(), reportCount: Int = 10
    ) throws {
        try self.init(
            [
                Extraction(
                    path: path.isEmpty ? FieldPath(components: []) : FieldPath(path) ?? FieldPath(components: []),
                    type: type, unknown: unknown, keys: keys, direction: direction)
            ], types: fruitTypes, limits: limits, reportCount: reportCount)
    }
}
