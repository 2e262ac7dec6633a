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
        changingObjects { object in
            .object(
                ObjectType(
                    fields: object.fields.map { ObjectType.Field(name: "my" + $0.name, from: $0.name, type: $0.type) }))
        }
    }

    /// The same with a key more in each object, which no document has: its default is written.
    var defaultingAll: TypeExpression {
        changingObjects { object in
            .object(
                ObjectType(
                    fields: object.fields + [ObjectType.Field(name: "no such key", type: .int, defaultJSON: "1")]))
        }
    }

    /// The same with each object as one of two, of which no document has the other.
    var choosingAll: TypeExpression {
        changingObjects { .union([.object($0), .fields(("no such key", .int))]) }
    }

    /// The innermost objects first.
    private func changingObjects(_ change: (ObjectType) -> TypeExpression) -> TypeExpression {
        switch self {
        case .optional(let wrapped): return .optional(wrapped.changingObjects(change))
        case .array(let element): return .array(element.changingObjects(change))
        case .dictionary(let value): return .dictionary(value.changingObjects(change))
        case .object(var object):
            for index in object.fields.indices {
                object.fields[index].type = object.fields[index].type.changingObjects(change)
            }
            return change(object)
        default: return self
        }
    }
}
