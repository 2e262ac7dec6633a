import Foundation
import SluiceContract
import SluiceJSON

/// One document with what is wanted of it, for all the contestants.
struct Workload {
    var name: String
    var document: [UInt8]
    /// The extraction with its full type check.
    var extraction: Extraction
    var types: [TypeDefinition]
    /// The same fields through Foundation; throws where the document is not as declared. nil has no such contestant.
    var decode: ((Data) throws -> Void)?
    /// The same fields through simdjson's On-Demand.
    var onDemand: ((UnsafePointer<CChar>, Int) -> Int)?

    init(
        _ name: String, _ document: [UInt8], path: String, _ type: TypeExpression, types: [TypeDefinition] = [],
        decode: ((Data) throws -> Void)? = nil, onDemand: ((UnsafePointer<CChar>, Int) -> Int)? = nil
    ) {
        self.name = name
        self.document = document
        extraction = Extraction(path: FieldPath(path) ?? FieldPath(components: []), type: type)
        self.types = types
        self.decode = decode
        self.onDemand = onDemand
    }
}

extension TypeExpression {
    static let int = TypeExpression.scalar(.int)
    static let string = TypeExpression.scalar(.string)
    static let bool = TypeExpression.scalar(.bool)
    static let date = TypeExpression.scalar(.date(.iso8601))
    static let url = TypeExpression.scalar(.url)

    static func fields(_ fields: (String, TypeExpression)...) -> TypeExpression {
        .object(ObjectType(fields: fields.map { ObjectType.Field(name: $0.0, type: $0.1) }))
    }

    /// The same with another name for every key that is declared, two bytes longer.
    var renamingAll: TypeExpression {
        switch self {
        case .optional(let wrapped): .optional(wrapped.renamingAll)
        case .array(let element): .array(element.renamingAll)
        case .dictionary(let value): .dictionary(value.renamingAll)
        case .object(let object):
            .object(
                ObjectType(
                    fields: object.fields.map {
                        ObjectType.Field(name: "my" + $0.name, from: $0.name, type: $0.type.renamingAll)
                    }))
        default: self
        }
    }
}
