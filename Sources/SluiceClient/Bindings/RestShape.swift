/// How a bound property's value stands in a document: at its root, or in a parent.
struct RestShape<Value: Sendable>: Sendable {
    /// Reads the value from an answer; the value held now helps to say what is missing.
    let decode: @Sendable (WholeAnswer, Value, JSONCoding) throws(CallError) -> Value
    /// Writes the value as it is sent.
    let encode: @Sendable (Value, JSONCoding) throws(CallError) -> [UInt8]
}

extension RestShape where Value: Codable {
    static var root: RestShape {
        RestShape(
            decode: { (answer, _, coding) throws(CallError) in try coding.decode(Value.self, from: answer.body) },
            encode: { (value, coding) throws(CallError) in try coding.encode(value) })
    }

    static func parent<Parent: ParentCodable>(
        _ parent: Parent.Type, _ prop: KeyPath<Parent, Value> & Sendable
    ) -> RestShape where Parent.ChildCodable == Value {
        RestShape(
            decode: { (answer, held, coding) throws(CallError) in
                do throws(CallError) {
                    return try coding.decode(Parent.self, from: answer.body)[keyPath: prop]
                } catch {
                    throw ParentPlace.explained(error, in: Parent.self, holding: held, coding)
                }
            },
            encode: { (value, coding) throws(CallError) in try coding.encode(Parent.wrap(child: value)) })
    }
}
