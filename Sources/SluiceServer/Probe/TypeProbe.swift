internal import SluiceClient
internal import SluiceContract

/// Reads the types of a configuration off Swift types, by how these decode themselves.
///
/// Every type that decodes an object becomes a definition of its own under its name, so that types may hold
/// themselves.
final class TypeProbe {
    /// In the order in which they were met.
    private(set) var definitions: [TypeDefinition] = []
    private let coding: JSONCoding
    private let values: ProbeValues
    private var known: [ObjectIdentifier: TypeExpression] = [:]
    private var inProgress: Set<ObjectIdentifier> = []
    private var names: Set<String>

    /// - Parameter taken: names that others have already.
    init(_ coding: JSONCoding, taken: [String] = []) {
        self.coding = coding
        values = ProbeValues(coding)
        names = Set(Scalar.names.map(\.name) + taken)
    }

    /// What a value of the type has to be.
    /// - Throws: ``ProbeRefusal`` that names the type and says what to do.
    func expression(of type: any Decodable.Type) throws(ProbeRefusal) -> TypeExpression {
        let id = ObjectIdentifier(type)
        if let known = known[id] { return known }
        if let expression = try simple(type) {
            known[id] = expression
            return expression
        }
        guard inProgress.insert(id).inserted else {
            throw ProbeRefusal(
                "\(type) is nothing but itself: its init(from:) has to decode something, or say typeNotation = \"JSON\""
                    + " where it may be any value")
        }
        defer { inProgress.remove(id) }
        do throws(ProbeRefusal) {
            let form = try Self.form(of: type, values)
            let expression = try self.expression(of: form, type)
            known[id] = expression
            return expression
        } catch {
            known[id] = nil
            throw explained(error, type)
        }
    }

    /// Where a member of a type may stand, by the types of the members: all ways to a value of this type.
    func paths(to wanted: any Decodable.Type, in type: any Decodable.Type) throws(ProbeRefusal) -> [[String]] {
        var found: [[String]] = []
        try collect(wanted, type, [], &found, [ObjectIdentifier(type)])
        return found
    }

    private func collect(
        _ wanted: any Decodable.Type, _ type: any Decodable.Type, _ path: [String], _ found: inout [[String]],
        _ seen: Set<ObjectIdentifier>
    ) throws(ProbeRefusal) {
        guard case .object(let object) = try? Self.form(of: type, values) else { return }
        try collect(wanted, object, path, &found, seen)
    }

    private func collect(
        _ wanted: any Decodable.Type, _ object: ProbedObject, _ path: [String], _ found: inout [[String]],
        _ seen: Set<ObjectIdentifier>
    ) throws(ProbeRefusal) {
        for member in object.members {
            let path = path + [coding.keys.name(member.key)]
            switch member.form {
            case .object(let inner): try collect(wanted, inner, path, &found, seen)
            case .values(let types) where types.count == 1:
                let held = Self.unwrapped(types[0])
                if held == Self.unwrapped(wanted) {
                    found.append(path)
                } else if seen.count < Self.depthMax, !seen.contains(ObjectIdentifier(held)) {
                    try collect(wanted, held, path, &found, seen.union([ObjectIdentifier(held)]))
                }
            default: break
            }
        }
    }

    private static let depthMax = 8

    private static func unwrapped(_ type: any Decodable.Type) -> any Decodable.Type {
        guard let container = type as? any ProbedContainer.Type, case .optional(let wrapped) = container.probed else {
            return type
        }
        return unwrapped(wrapped)
    }

    private static func form<Value: Decodable>(
        of type: Value.Type, _ values: ProbeValues
    ) throws(ProbeRefusal) -> ProbedForm {
        try TypeQuestioning(type, values).form()
    }

    private func explained(_ refusal: ProbeRefusal, _ type: any Decodable.Type) -> ProbeRefusal {
        if refusal.description.contains(Self.advice) { return refusal }
        return ProbeRefusal("the type of \(type) cannot be read off its init(from:): \(refusal); \(Self.advice)")
    }

    private static let advice = "let it conform to TypeNotated and say its type, or be CaseIterable where it is an enum"

    // MARK: - Types that need not be asked

    private func simple(_ type: any Decodable.Type) throws(ProbeRefusal) -> TypeExpression? {
        if let notated = type as? any TypeNotated.Type { return try notation(notated) }
        if let scalar = ScalarTypes.expression(of: type, coding.dates) { return scalar }
        if let cases = ProbedCases(type) { return Self.expression(of: cases, isOpen: Self.takesOthers(type, values)) }
        guard let container = type as? any ProbedContainer.Type else { return nil }
        switch container.probed {
        case .optional(let wrapped): return Self.optional(try expression(of: wrapped))
        case .list(let element): return .array(try expression(of: element))
        case .dictionary(let key, let value):
            guard key is any CodingKeyRepresentable.Type else {
                throw ProbeRefusal(
                    "\(type) is written as a list of keys and values in turn: let \(key) be CodingKeyRepresentable")
            }
            return .dictionary(try expression(of: value))
        }
    }

    /// Whether an enum takes what is none of its cases, by an `init(from:)` of its own.
    private static func takesOthers<Value: Decodable>(_ type: Value.Type, _ values: ProbeValues) -> Bool {
        let run = ProbeRun(ProbeScript(palette: ScalarTypes.unlikely), values)
        return (try? Value(from: ProbeDecoder(run))) != nil
    }

    private static func expression(of cases: ProbedCases, isOpen: Bool) -> TypeExpression {
        if !isOpen { return expression(of: cases, Array(cases.texts.indices)) }
        return cases.strings.map { .open($0) } ?? .scalar(.int)
    }

    private func notation(_ type: any TypeNotated.Type) throws(ProbeRefusal) -> TypeExpression {
        do {
            return try TypeNotation.type(type.typeNotation).type
        } catch {
            throw ProbeRefusal(
                "typeNotation of \(type) is '\(type.typeNotation)': \(error.message), expected \(error.expected)")
        }
    }

    private static func expression(of cases: ProbedCases, _ numbers: [Int]) -> TypeExpression {
        if let strings = cases.strings { return .literals(numbers.map { strings[$0] }) }
        let constants = numbers.map { TypeExpression.constant(cases.texts[$0]) }
        return constants.count == 1 ? constants[0] : .union(constants)
    }

    private static func optional(_ type: TypeExpression) -> TypeExpression {
        if case .optional = type { return type }
        return .optional(type)
    }

    // MARK: - Types that were asked

    private func expression(
        of form: ProbedForm, _ type: any Decodable.Type
    ) throws(ProbeRefusal) -> TypeExpression {
        switch form {
        case .object(let object):
            let name = name(of: type)
            known[ObjectIdentifier(type)] = .named(name)
            let place = reserve(name)
            definitions[place].type = .object(try self.object(object))
            return .named(name)
        case .choice(let key, let alternatives):
            let name = name(of: type)
            known[ObjectIdentifier(type)] = .named(name)
            let place = reserve(name)
            var members: [TypeExpression] = []
            for alternative in alternatives {
                members.append(.named(try self.alternative(alternative, key, of: name)))
            }
            definitions[place].type = .union(members)
            return .named(name)
        case .values, .dictionary, .list, .anything, .either: return try inline(form)
        }
    }

    /// A name is known before what it means: a type may hold itself.
    private func reserve(_ name: String) -> Int {
        definitions.append(TypeDefinition(name: name, type: .null))
        return definitions.count - 1
    }

    private func alternative(
        _ alternative: (cases: ProbedCases, numbers: [Int], object: ProbedForm), _ key: String, of whole: String
    ) throws(ProbeRefusal) -> String {
        let first = alternative.cases.strings?[alternative.numbers[0]] ?? "\(alternative.numbers[0])"
        let name = unused("\(whole).\(Self.capitalised(first))")
        names.insert(name)
        let place = reserve(name)
        guard case .object(let probed) = alternative.object else {
            throw ProbeRefusal("it decodes no object for \(key) = \(first)")
        }
        var object = try object(probed)
        let written = coding.keys.name(key)
        if let field = object.fields.firstIndex(where: { $0.name == written }) {
            object.fields[field].type = Self.expression(of: alternative.cases, alternative.numbers)
        }
        definitions[place].type = .object(object)
        return name
    }

    private func object(_ object: ProbedObject) throws(ProbeRefusal) -> ObjectType {
        var fields: [ObjectType.Field] = []
        for member in object.members {
            let type = try inline(member.form)
            let name = coding.keys.name(member.key)
            fields.append(ObjectType.Field(name: name, type: member.isOptional ? Self.optional(type) : type))
        }
        return ObjectType(fields: fields, unknown: object.takesOthers ? .pass : nil)
    }

    private func inline(_ form: ProbedForm) throws(ProbeRefusal) -> TypeExpression {
        switch form {
        case .values(let types):
            var all: [TypeExpression] = []
            for type in types {
                let expression = try expression(of: type)
                if !all.contains(expression) { all.append(expression) }
            }
            return union(all)
        case .object(let object): return .object(try self.object(object))
        case .dictionary(let value): return .dictionary(try inline(value))
        case .list(let element): return .array(try inline(element))
        case .anything: return .scalar(.json)
        case .choice: throw ProbeRefusal("objects told apart by a key have to be a type of their own")
        case .either(let forms):
            var all: [TypeExpression] = []
            for form in forms { all.append(try inline(form)) }
            return union(all)
        }
    }

    private func union(_ members: [TypeExpression]) -> TypeExpression {
        let all = members.flatMap { member in if case .union(let inner) = member { inner } else { [member] } }
        if all.count == 1 { return all[0] }
        return all.contains { $0 == .scalar(.json) || isBlank($0) } ? .scalar(.json) : .union(all)
    }

    /// A type that decodes nothing of an object: as an alternative it takes whatever the others do not, as in a list
    /// that passes over what it cannot read.
    private func isBlank(_ type: TypeExpression) -> Bool {
        guard case .named(let name) = type else { return false }
        return definitions.contains { $0.name == name && $0.type == .object(ObjectType(fields: [])) }
    }

    // MARK: - Names

    private func name(of type: any Decodable.Type) -> String {
        let name = unused(Self.written(String(describing: type)))
        names.insert(name)
        return name
    }

    private func unused(_ name: String) -> String {
        if !names.contains(name) { return name }
        var number = 2
        while names.contains("\(name)\(number)") { number += 1 }
        return "\(name)\(number)"
    }

    /// `Page<Fruit>` is `PageOfFruit`: the notation knows letters, digits, `_` and `.`.
    private static func written(_ name: String) -> String {
        let words = name.replacing("<", with: "Of").replacing(", ", with: "And")
        let letters = words.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }
        return letters.isEmpty ? "Value" : capitalised(letters)
    }

    private static func capitalised(_ text: String) -> String {
        let letters = text.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }
        let whole = letters.prefix(1).uppercased() + letters.dropFirst()
        return whole.first?.isLetter == true ? whole : "Case\(whole)"
    }
}
