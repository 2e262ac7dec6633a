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
    /// The same fields through Foundation; throws where the document is not as declared.
    var decode: (Data) throws -> Void
    /// The same fields through simdjson's On-Demand.
    var onDemand: (UnsafePointer<CChar>, Int) -> Int

    init(
        _ name: String, _ document: [UInt8], path: String, _ type: TypeExpression, types: [TypeDefinition] = [],
        decode: @escaping (Data) throws -> Void, onDemand: @escaping (UnsafePointer<CChar>, Int) -> Int
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
}
