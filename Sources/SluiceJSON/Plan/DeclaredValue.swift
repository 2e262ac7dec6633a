package import SluiceContract

/// A value that a configuration declares (a default, a fixed value, an example), in the form in which it goes out. It
/// is declared as clients see it.
package struct DeclaredValue {
    /// What is wrong with a value, and where in it.
    package struct Fault: Error {
        package enum Step: Hashable, Sendable {
            case key(String)
            case index(Int)
        }

        package enum Reason: Sendable {
            /// It is of another type.
            case isOther(JSONNode, TypeExpression)
            /// Clients may send it, but it cannot be converted into what the upstream has.
            case isInconvertible(JSONNode, Scalar)
            case isNotUnique(TypeExpression)
            case lacks(String, ObjectType)
            case hasUnknown(String, ObjectType)
            case hasTwice(String, ObjectType)
            /// Its own defaults hold each other without end, or come to too much.
            case isEndless
        }

        package var way: [Step]
        package var reason: Reason
    }

    private let types: NamedTypes
    private let keys: KeyStyle
    private let direction: Extraction.Direction
    private let unknown: UnknownKeys
    private let names: Names
    private let depth: Int

    /// Which keys stand for a field.
    package enum Names: Sendable {
        /// That which clients of the binding see.
        case local
        /// Either form of its name: a type does not know whether the bindings that have it rename keys.
        case either
    }

    private let visits: Visits

    private static let depthMax = 64
    private static let visitsMax = 50_000

    /// How many values have been looked at: defaults that contain each other several times come to very many.
    private final class Visits {
        var count = 0
    }

    /// - Parameter unknown: what happens to keys that an object type does not declare, if the type itself does not say.
    ///   Keys that would be left out later may not be declared either.
    package init(
        _ types: NamedTypes, keys: KeyStyle, direction: Extraction.Direction, unknown: UnknownKeys = .pass,
        names: Names = .either
    ) {
        (self.types, self.keys, self.direction, self.unknown, self.names) = (types, keys, direction, unknown, names)
        depth = 0
        visits = Visits()
    }

    /// For a value within `outer`, which its type declares.
    private init(within outer: DeclaredValue) {
        (types, keys, direction, unknown) = (outer.types, outer.keys, outer.direction, outer.unknown)
        names = .either
        depth = outer.depth + 1
        visits = outer.visits
    }

    /// - Returns: JSON, with the defaults of what the value leaves out.
    package func json(of node: JSONNode, _ type: TypeExpression) throws(Fault) -> String {
        visits.count += 1
        guard visits.count <= Self.visitsMax else { throw Fault(way: [], reason: .isEndless) }
        switch type {
        case .scalar(let scalar): return try check(Self.takes(scalar, node), node, type)
        case .literals(let strings):
            guard case .string(let text) = node else { throw wrong(node, type) }
            return try check(strings.contains(text), node, type)
        case .open:
            guard case .string = node else { throw wrong(node, type) }
            return node.json
        case .constant(let json): return try check(node.plainText == json, node, type)
        case .converted(let from, let to): return try converted(node, from, to)
        case .constrained(let inner, let constraint):
            let json = try json(of: node, inner)
            try check(constraint, of: type, node)
            return json
        case .array(let element):
            guard case .array(let items) = node else { throw wrong(node, type) }
            var all: [String] = []
            for (index, item) in items.enumerated() { all.append(try inside(.index(index), item, element)) }
            return "[" + all.joined(separator: ",") + "]"
        case .dictionary(let value):
            guard case .object(let members) = node else { throw wrong(node, type) }
            var all: [String] = []
            for (key, member) in members { all.append(Self.member(key, try inside(.key(key), member, value))) }
            return "{" + all.joined(separator: ",") + "}"
        case .optional(let wrapped):
            if case .null = node { return node.json }
            return try json(of: node, wrapped)
        case .null:
            guard case .null = node else { throw wrong(node, type) }
            return node.json
        case .union(let members): return try json(of: node, among: members)
        case .object(let object): return try json(of: node, object)
        case .choice(let choice): return try json(of: node, choice)
        case .named:
            let meaning = types.resolved(type)
            // A name that means nothing has its own mistake.
            if case .named = meaning { return node.json }
            return try json(of: node, meaning)
        }
    }

    /// The default of a field that a value leaves out.
    private func json(ofDefault field: ObjectType.Field, _ text: String) throws(Fault) -> String {
        guard depth < Self.depthMax else { throw Fault(way: [], reason: .isEndless) }
        // What is no JSON has its own mistake.
        guard let node = JSONNode(text) else { return text }
        return try DeclaredValue(within: self).json(of: node, field.type)
    }

    // MARK: - Objects

    private func json(of node: JSONNode, _ object: ObjectType) throws(Fault) -> String {
        guard case .object(let members) = node else { throw wrong(node, .object(object)) }
        let present = Set(members.map(\.key))
        var all: [String] = []
        var given: Set<String> = []
        for (key, value) in members {
            guard let field = field(key, of: object, beside: present) else {
                if !passes(key, of: object) { throw Fault(way: [.key(key)], reason: .hasUnknown(key, object)) }
                all.append(Self.member(key, value.json))
                continue
            }
            guard given.insert(field.name).inserted else {
                throw Fault(way: [.key(key)], reason: .hasTwice(key, object))
            }
            all.append(Self.member(outerKey(of: field), try inside(.key(key), value, field.type)))
        }
        for field in object.fields where !given.contains(field.name) {
            if let text = field.defaultJSON {
                all.append(Self.member(outerKey(of: field), try json(ofDefault: field, text)))
            } else if !field.mayBeAbsent, !types.isOptional(field.type) {
                throw Fault(way: [], reason: .lacks(names == .local ? keys.localKey(of: field) : field.name, object))
            }
        }
        return "{" + all.joined(separator: ",") + "}"
    }

    private func json(of node: JSONNode, _ choice: ObjectChoice) throws(Fault) -> String {
        guard case .object(let members) = node else { throw wrong(node, .choice(choice)) }
        let value = members.first { isKey($0.key, of: choice.key) }?.value.text
        guard let type = choice.alternatives.first(where: { $0.value == value })?.type else {
            guard let others = choice.others else { throw wrong(node, .choice(choice)) }
            return try json(of: node, others)
        }
        guard case .object(var object) = types.resolved(type),
            !object.fields.contains(where: { isKey(choice.key, of: $0.name) })
        else { return try json(of: node, type) }
        var field = choice.field(in: types)
        field.type = .scalar(.json)
        object.fields.append(field)
        return try json(of: node, object)
    }

    /// Whether a key that stands for no field may be there. What is put together has no keys but its own; and a field
    /// with another name upstream takes that name away.
    private func passes(_ key: String, of object: ObjectType) -> Bool {
        guard !object.isComposed, (object.unknown ?? unknown) == .pass else { return false }
        return !object.fields.contains { field in
            let (upstream, local) = keys.keys(of: field)
            return local == key || outerKey(of: field) == key || names == .either && upstream == key
        }
    }

    /// The field that a key stands for: the other form of its name counts where the name itself is not there.
    private func field(_ key: String, of object: ObjectType, beside given: Set<String>) -> ObjectType.Field? {
        if names == .either, let exact = object.fields.first(where: { $0.name == key }) { return exact }
        return object.fields.first { isKey(key, of: $0.name) && (names == .local || !given.contains($0.name)) }
    }

    private func isKey(_ key: String, of name: String) -> Bool {
        switch names {
        case .local: keys.localKey(name) == key
        case .either: name == key || KeyStyle.camelCase.localKey(name) == KeyStyle.camelCase.localKey(key)
        }
    }

    // MARK: - Alternatives

    private func json(of node: JSONNode, among members: [TypeExpression]) throws(Fault) -> String {
        let objects = members.filter(types.isObject)
        if case .object(let given) = node, objects.count > 1 {
            guard let told = told(by: given, among: objects) else { throw wrong(node, .union(members)) }
            return try json(of: node, told)
        }
        for member in members {
            do {
                return try json(of: node, member)
            } catch {
                // The only alternative of its kind has the better word.
                if case .object = node, types.isObject(member) { throw error }
            }
        }
        throw wrong(node, .union(members))
    }

    /// The alternative that an object is of, as it is told in documents (``ObjectTelling``).
    private func told(by given: [(key: String, value: JSONNode)], among objects: [TypeExpression]) -> TypeExpression? {
        let meanings = objects.map { alternative -> ObjectType? in
            if case .object(let object) = types.resolved(alternative) { object } else { nil }
        }
        switch ObjectTelling(meanings, resolve: { types.resolved($0) }) {
        case .value(let field, let values):
            let node = given.first { isKey($0.key, of: field.name) }?.value
            let isString = if case .string? = node { true } else { false }
            let value = node?.text.map { ObjectTelling.Value(text: $0, isString: isString) }
            let number = values.firstIndex { all in value.map { all?.contains($0) == true } ?? false }
            return (number ?? values.firstIndex { $0 == nil }).map { objects[$0] }
        case .keys(let fields):
            for (key, _) in given {
                let number = fields.firstIndex { $0.contains { isKey(key, of: $0.name) } }
                if let number { return objects[number] }
            }
            return fields.firstIndex { $0.isEmpty }.map { objects[$0] }
        case nil: return nil
        }
    }

    private func outerKey(of field: ObjectType.Field) -> String { keys.keys(of: field, direction).out }

    private static func member(_ key: String, _ json: String) -> String { JSONText.quote(key) + ":" + json }

    // MARK: - Scalars

    private static func takes(_ scalar: Scalar, _ node: JSONNode) -> Bool {
        switch node {
        case .string(let text): scalar == .json || scalar.isText && scalar.takes(text)
        case .bool(let text), .number(let text): scalar == .json || !scalar.isText && scalar.takes(text)
        case .null, .array, .object: scalar == .json
        }
    }

    /// What a client could not send, because its upstream form is not of its type, may not be declared either.
    private func converted(_ node: JSONNode, _ from: Scalar, _ to: Scalar) throws(Fault) -> String {
        let type = TypeExpression.converted(from, to)
        guard Self.takes(to, node), var text = node.text, let conversion = Conversion(from: from, to: to) else {
            throw wrong(node, type)
        }
        guard let bytes = text.withUTF8({ conversion.inverse.json(of: $0) }),
            let outer = JSONNode(String(decoding: bytes, as: UTF8.self)), Self.takes(from, outer)
        else { throw Fault(way: [], reason: .isInconvertible(node, from)) }
        return direction == .fromUpstream ? node.json : outer.json
    }

    private func check(_ constraint: Constraint, of type: TypeExpression, _ node: JSONNode) throws(Fault) {
        switch node {
        case .array(let items):
            guard constraint.range?.contains(items.count) ?? true else { throw wrong(node, type) }
            guard !constraint.isUnique || Set(items.map(\.json)).count == items.count else {
                throw Fault(way: [], reason: .isNotUnique(type))
            }
        case .string(var text), .number(var text):
            guard text.withUTF8({ ScalarText.check(UnsafeRawBufferPointer($0), as: type) }) else {
                throw wrong(node, type)
            }
        case .null, .bool, .object: break
        }
    }

    private func check(_ isOfType: Bool, _ node: JSONNode, _ type: TypeExpression) throws(Fault) -> String {
        if isOfType { return node.json }
        throw wrong(node, type)
    }

    // MARK: - Faults

    private func wrong(_ node: JSONNode, _ type: TypeExpression) -> Fault {
        Fault(way: [], reason: .isOther(node, type))
    }

    private func inside(_ step: Fault.Step, _ node: JSONNode, _ type: TypeExpression) throws(Fault) -> String {
        do {
            return try json(of: node, type)
        } catch {
            throw Fault(way: [step] + error.way, reason: error.reason)
        }
    }
}

extension DeclaredValue.Fault {
    /// In words.
    package var found: String {
        switch reason {
        case .isOther(let node, _): node.kind
        case .isInconvertible(let node, let from):
            "\(node.kind), which is no \(TypeExpression.scalar(from)) for the upstream"
        case .isNotUnique: "a list with equal items"
        case .lacks(let name, _): "it lacks '\(name)'"
        case .hasUnknown(let key, _): "there is no key '\(key)' in its type"
        case .hasTwice(let key, _): "the key '\(key)' stands twice"
        case .isEndless: "its defaults contain each other without end, or too often"
        }
    }

    /// The same of a default, or of a fixed value, of this name.
    package func planError(of name: String) -> PlanError {
        .invalidDefault(name, "is not of its type: \(found)")
    }
}
