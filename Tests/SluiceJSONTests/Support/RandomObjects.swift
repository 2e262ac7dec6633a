import SluiceContract
import SluiceJSON

/// Made-up objects: a plan that edits them, and documents of them. All follows from the seed.
struct RandomObjects {
    private indirect enum Kind {
        case int, string, bool, list(Kind), dictionary(Kind), object([(key: String, kind: Kind)])
    }

    /// Short and long ones, one with an escape, and two that begin alike beyond what is remembered.
    private static let keys = [
        "a", "b", "id", "full_name", "created_at", "size", "é", "q\\\"", "a_key_of_exactly_twenty_9",
        "a_key_of_more_than_thirty_bytes_1", "a_key_of_more_than_thirty_bytes_2", "x", "y", "z",
    ]

    private var random: Seeded
    private let kind: Kind
    /// Whether whitespace stands everywhere, and whether objects have all keys in the same order.
    private var isSpaced = false
    private var isAlike = false

    init(seed: UInt64) {
        random = Seeded(state: seed)
        kind = Self.object(3, &random)
    }

    private static func object(_ depth: Int, _ random: inout Seeded) -> Kind {
        let count = Int.random(in: 0...7, using: &random)
        return .object(
            keys.shuffled(using: &random).prefix(count).map { ($0, kind(depth - 1, &random)) })
    }

    private static func kind(_ depth: Int, _ random: inout Seeded) -> Kind {
        switch Int.random(in: 0..<(depth > 0 ? 10 : 6), using: &random) {
        case 0, 1: .int
        case 2...4: .string
        case 5: .bool
        case 6: .list(kind(depth - 1, &random))
        case 7: .dictionary(object(depth, &random))
        case 8: .list(object(depth, &random))
        default: object(depth, &random)
        }
    }

    // MARK: Plans

    /// One to three slices of the same document; nil where the types cannot stand together.
    mutating func plan() -> Plan? {
        var extractions: [Extraction] = []
        for _ in 0..<[1, 1, 1, 2, 3][Int.random(in: 0..<5, using: &random)] {
            let isOfElements = Int.random(in: 0..<4, using: &random) == 0
            extractions.append(
                Extraction(
                    path: FieldPath(isOfElements ? "values.*" : "values") ?? FieldPath(components: []),
                    type: .array(type(of: kind)), unknown: chance(2) ? .drop : .pass))
        }
        return try? Plan(extractions, types: [])
    }

    private mutating func type(of kind: Kind) -> TypeExpression {
        if chance(12) { return .optional(.scalar(.json)) }
        switch kind {
        case .int: return .int
        case .string: return .string
        case .bool: return .bool
        case .list(let element): return .array(type(of: element))
        case .dictionary(let value): return .dictionary(type(of: value))
        case .object(let members):
            var fields: [ObjectType.Field] = []
            let share = Int.random(in: 0...4, using: &random)
            for (number, member) in members.enumerated() where Int.random(in: 0..<4, using: &random) < share {
                let isRenamed = chance(3)
                fields.append(
                    ObjectType.Field(
                        name: isRenamed ? "name_\(number)" : member.key, from: isRenamed ? member.key : nil,
                        type: .optional(type(of: member.kind)), defaultJSON: chance(8) ? "null" : nil))
            }
            let unknown: UnknownKeys? = chance(3) ? .drop : chance(8) ? .pass : nil
            return .object(ObjectType(fields: fields, unknown: unknown))
        }
    }

    // MARK: Documents

    mutating func document() -> [UInt8] {
        isSpaced = chance(3)
        isAlike = !chance(3)
        let count = Int.random(in: 0...60, using: &random)
        let values = (0..<count).map { _ in text(of: kind) }
        return Array("{\"count\":\(count),\"values\":\(list(values, "[", "]"))}".utf8)
    }

    private mutating func text(of kind: Kind) -> String {
        switch kind {
        case .int: return String(Int.random(in: -9...9999, using: &random))
        case .string:
            return ["\"\"", "\"fig\"", "\"a \\\" b\"", "\"{,}:\"", "\"\(String(repeating: "long ", count: 60))\""]
                .randomElement(using: &random) ?? "\"\""
        case .bool: return chance(2) ? "true" : "false"
        case .list(let element):
            let count = isAlike ? 2 : Int.random(in: 0...3, using: &random)
            return list((0..<count).map { _ in text(of: element) }, "[", "]")
        case .dictionary(let value):
            let count = isAlike ? 2 : Int.random(in: 0...3, using: &random)
            return list((0..<count).map { number in "\"\(number)\"\(space()):\(space())\(text(of: value))" }, "{", "}")
        case .object(let members):
            var texts = members.map { member($0.key, $0.kind) }
            if !isAlike || chance(20) {
                if chance(3) { texts.shuffle(using: &random) }
                if chance(2), !texts.isEmpty { texts.removeLast() }
                if chance(3) { texts.insert(member("w", .list(.int)), at: texts.count / 2) }
                if chance(30) { texts.append(contentsOf: texts.prefix(1)) }
            }
            return list(texts, "{", "}")
        }
    }

    private mutating func member(_ key: String, _ kind: Kind) -> String {
        let written = !isAlike && chance(10) ? key.replacing("a", with: "\\u0061") : key
        let value = chance(40) ? "null" : text(of: kind)
        return "\"\(written)\"\(space()):\(space())\(value)"
    }

    private mutating func list(_ texts: [String], _ open: String, _ close: String) -> String {
        var result = open + space()
        for (number, text) in texts.enumerated() {
            if number > 0 { result += space() + "," + space() }
            result += text
        }
        return result + space() + close
    }

    private mutating func space() -> String {
        isSpaced && chance(3) ? [" ", "\n  ", "\t"].randomElement(using: &random) ?? "" : ""
    }

    private mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &random) == 0 }
}
