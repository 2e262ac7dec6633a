import SluiceContract

/// The real documents again, with types that declare all of them, as `Benchmarks/compare` does: whoever writes a type
/// for an API's answer names more than six of its fields.
extension Workloads {
    /// Documents by name, and the member of each that is cut out; without one, it is all.
    static let parts = [
        ("twitter", "statuses"), ("citm_catalog", "performances"), ("github_events", ""), ("update-center", "plugins"),
        ("apache_builds", "jobs"), ("canada", "features"),
    ]

    static func declared(_ name: String, _ document: [UInt8], _ part: String) -> Workload {
        var reader = DocumentReader(document)
        let whole = reader.value()
        var wanted = whole
        if case .object(let members) = whole, let member = members.first(where: { $0.key == part }) {
            wanted = member.value
        }
        return Workload(name, document, path: part, DeclaredType.of([wanted]))
    }
}

/// The type of what stands at one place of a document, as a careful person would declare it who had no other.
enum DeclaredType {
    /// More keys than this, or keys that no programmer would choose, make a dictionary of an object.
    private static let fieldsMost = 48

    static func of(_ values: [DocumentValue]) -> TypeExpression {
        let present = values.filter { if case .null = $0 { false } else { true } }
        guard let type = ofPresent(present) else { return .scalar(.json) }
        return present.count < values.count ? .optional(type) : type
    }

    /// nil where the values are of several kinds, or there are none.
    private static func ofPresent(_ values: [DocumentValue]) -> TypeExpression? {
        var bools = 0
        var integers = 0
        var numbers = 0
        var strings: [String] = []
        var arrays: [[DocumentValue]] = []
        var objects: [[(key: String, value: DocumentValue)]] = []
        for value in values {
            switch value {
            case .null: break
            case .bool: bools += 1
            case .integer: integers += 1
            case .number: numbers += 1
            case .string(let text): strings.append(text)
            case .array(let elements): arrays.append(elements)
            case .object(let members): objects.append(members)
            }
        }
        if values.isEmpty { return nil }
        return switch values.count {
        case bools: .bool
        case integers: .int
        case integers + numbers: .scalar(.double)
        case strings.count: ofStrings(strings)
        case arrays.count: .array(of(arrays.flatMap(\.self)))
        case objects.count: ofObjects(objects)
        default: nil
        }
    }

    private static func ofStrings(_ texts: [String]) -> TypeExpression {
        texts.allSatisfy(isURL) ? .url : texts.allSatisfy(isDate) ? .date : .string
    }

    private static func isURL(_ text: String) -> Bool {
        (text.hasPrefix("http://") || text.hasPrefix("https://"))
            && text.utf8.allSatisfy { $0 > 0x20 && !"\"<>\\^`{|}".utf8.contains($0) }
    }

    /// `2024-02-28T10:00:00Z`, or with an offset.
    private static func isDate(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count >= 20 && bytes[10] == UInt8(ascii: "T") && bytes[4] == UInt8(ascii: "-")
            && bytes[13] == UInt8(ascii: ":") && (text.hasSuffix("Z") || bytes[bytes.count - 3] == UInt8(ascii: ":"))
    }

    private static func isFieldName(_ key: String) -> Bool {
        key.first.map { $0.isLetter || $0 == "_" } == true && key.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    private static func ofObjects(_ objects: [[(key: String, value: DocumentValue)]]) -> TypeExpression? {
        var keys: [String] = []
        var values: [String: [DocumentValue]] = [:]
        for member in objects.joined() {
            if values[member.key] == nil { keys.append(member.key) }
            values[member.key, default: []].append(member.value)
        }
        if keys.isEmpty { return nil }
        if keys.count > fieldsMost || !keys.allSatisfy(isFieldName) {
            return .dictionary(of(objects.joined().map(\.value)))
        }
        let fields = keys.map { key in
            let found = values[key] ?? []
            let type = of(found)
            if case .optional = type { return ObjectType.Field(name: key, type: type) }
            return ObjectType.Field(name: key, type: found.count < objects.count ? .optional(type) : type)
        }
        return .object(ObjectType(fields: fields))
    }
}
