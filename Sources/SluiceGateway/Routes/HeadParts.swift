internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// Members of a value that are read from the head of its answer: from fields, or from the status.
final class HeadParts: Sendable {
    private struct Part {
        /// The form for a request that has not been sent yet.
        var key: [UInt8]
        var source: FieldSource
        var type: ScalarText
        var field: ObjectType.Field
        var mayBeAbsent: Bool
    }

    private let parts: [Part]

    /// nil where the type has no such members.
    init?(_ value: TypeExpression, keys: KeyStyle, _ types: NamedTypes) throws(PlanError) {
        var parts: [Part] = []
        for field in types.headFields(of: value) {
            guard let source = field.source else { continue }
            guard let type = try ScalarText(field.type, types: types) else {
                throw .unconstrainable(field.type.description)
            }
            var mayBeAbsent = field.mayBeAbsent
            if case .optional = types.resolved(field.type) { mayBeAbsent = true }
            parts.append(
                Part(
                    key: Array(JSONText.quote(keys.localKey(of: field)).utf8) + [UInt8(ascii: ":")], source: source,
                    type: type, field: field, mayBeAbsent: mayBeAbsent))
        }
        if parts.isEmpty { return nil }
        self.parts = parts
    }

    /// The members, separated by commas, and faults for those that are not as declared.
    func read(_ response: borrowing ResponseHead) -> (members: [UInt8], faults: [Problem.Fault]) {
        var members: [UInt8] = []
        var faults: [Problem.Fault] = []
        for part in parts {
            let text = Self.text(part.source, response)
            var json = part.key
            if let text {
                guard text.withUnsafeBytes({ part.type.appendJSON(of: $0, to: &json) }) else {
                    faults.append(Self.fault(part, found: "'\(String(decoding: text.prefix(64), as: UTF8.self))'"))
                    continue
                }
            } else if let usual = part.field.defaultJSON {
                json += Array(usual.utf8)
            } else {
                if !part.mayBeAbsent { faults.append(Self.fault(part, found: "nothing")) }
                continue
            }
            if !members.isEmpty { members.append(UInt8(ascii: ",")) }
            members += json
        }
        return (members, faults)
    }

    private static func fault(_ part: Part, found: String) -> Problem.Fault {
        Problem.Fault(
            name: part.source.description, location: "response", expected: part.field.type.description, found: found)
    }

    /// The text of a member's source; nil where the head does not have it.
    private static func text(_ source: FieldSource, _ response: borrowing ResponseHead) -> [UInt8]? {
        switch source {
        case .path: nil
        case .status: Array(String(response.status).utf8)
        case .header(let name, nil): field(name, response.fields)
        case .header(let name, let relation?): LinkField.target(of: relation, in: name, response.fields)
        }
    }

    /// Several lines of one field are one list (RFC 9110 §5.3).
    private static func field(_ name: String, _ fields: borrowing HeaderBlock) -> [UInt8]? {
        var value: [UInt8]?
        for index in 0..<fields.count where fields.name(index).equalsIgnoringCase(Array(name.utf8)) {
            value = (value.map { $0 + Array(", ".utf8) } ?? []) + Array(fields.value(index))
        }
        return value
    }
}
