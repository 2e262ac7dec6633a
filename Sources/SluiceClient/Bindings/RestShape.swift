/// How a bound property's value stands in a document: at its root, or in a parent.
struct RestShape<Value: Codable & Sendable>: Sendable {
    /// A value with the form it came in.
    typealias Read = (value: Value, isBare: Bool)

    /// Reads a parent; the value held now helps to say what is missing. Nil for a value at the root.
    private let unwrap: (@Sendable (WholeAnswer, Value, JSONCoding) throws(CallError) -> Value)?
    /// Writes a value in its parent.
    private let wrap: @Sendable (Value, JSONCoding) throws(CallError) -> [UInt8]
    /// As it was declared.
    let parent: BoundRest.Parent?

    static var root: RestShape {
        RestShape(unwrap: nil, wrap: { (value, coding) throws(CallError) in try coding.encode(value) }, parent: nil)
    }

    static func parent<Parent: ParentCodable>(
        _ parent: Parent.Type, _ prop: KeyPath<Parent, Value> & Sendable
    ) -> RestShape where Parent.ChildCodable == Value {
        RestShape(
            unwrap: { (answer, held, coding) throws(CallError) in
                do throws(CallError) {
                    return try coding.decode(Parent.self, from: answer.body)[keyPath: prop]
                } catch {
                    throw ParentPlace.explained(error, in: Parent.self, holding: held, coding)
                }
            },
            wrap: { (value, coding) throws(CallError) in try coding.encode(Parent.wrap(child: value)) },
            parent: BoundRest.Parent(type: parent, prop: prop))
    }

    func encode(_ value: Value, isBare: Bool, _ coding: JSONCoding) throws(CallError) -> [UInt8] {
        isBare ? try coding.encode(value) : try wrap(value, coding)
    }

    /// - Parameter wasBare: The answer before was: a value that can be read from any object is taken for one.
    func decode(
        _ answer: WholeAnswer, holding held: Value, _ placement: ParentPlacement, _ coding: JSONCoding,
        wasBare: Bool = false
    ) throws(CallError) -> Read {
        guard let unwrap, placement != .gateway else {
            return (try coding.decode(Value.self, from: answer.body), true)
        }
        do throws(CallError) {
            return (try unwrap(answer, held, coding), false)
        } catch {
            guard placement == .automatic else { throw error }
            do throws(CallError) {
                let value = try coding.decode(Value.self, from: answer.body)
                guard wasBare || ParentPlace.isAccounted(answer.body, by: value, coding) else { throw error }
                return (value, true)
            } catch let bare {
                throw error.isOfAnotherKindOfDocument ? bare : error
            }
        }
    }
}

extension CallError {
    /// Whether the document is no parent to begin with: a list, say, where an object was expected.
    fileprivate var isOfAnotherKindOfDocument: Bool {
        if case .decode(let fault) = self { fault.reason == .mismatched && fault.path == "$" } else { false }
    }
}
