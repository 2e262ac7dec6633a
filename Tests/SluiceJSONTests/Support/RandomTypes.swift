import SluiceContract
import SluiceJSON

/// Made-up types with all that the notation has, and documents for them, right and wrong. All follows from the seed.
struct RandomTypes {
    private var random: Seeded
    private(set) var types: [String: TypeExpression] = [:]
    let type: TypeExpression
    let unknown: UnknownKeys

    init(seed: UInt64) {
        random = Seeded(state: seed)
        unknown = [.pass, .pass, .drop, .reject][Int.random(in: 0..<4, using: &random)]
        // One that holds itself, and one for any place.
        var maker = Maker(random: random)
        types["Leaf"] = maker.object(1)
        types["Tree"] = .union([
            .object(
                ObjectType(fields: [
                    .init("kind", .literals(["node"])), .init("left", .named("Tree")),
                    .init("right", .optional(.named("Tree"))),
                ])),
            .object(ObjectType(fields: [.init("kind", .constant("1")), .init("value", maker.type(1))])),
        ])
        type = .array(maker.type(4))
        random = maker.random
    }

    var definitions: [TypeDefinition] { types.map { TypeDefinition(name: $0.key, type: $0.value) } }

    private struct Maker {
        var random: Seeded

        mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &random) == 0 }

        mutating func pick<Element>(_ list: [Element]) -> Element {
            list[Int.random(in: 0..<list.count, using: &random)]
        }

        mutating func scalar() -> TypeExpression {
            pick([
                .int, .string, .bool, .scalar(.double), .scalar(.decimal), .scalar(.json), .scalar(.int8),
                .scalar(.uint16), .literals(["red", "green"]), .open(["red", "é"]), .constant("1"), .constant("true"),
                .scalar(.quoted(.int)), .scalar(.quoted(.decimal)), .scalar(.quoted(.bool)),
                .union([.constant("1"), .constant("2.5"), .literals(["auto"])]), .union([.int, .string]),
                .union([.bool, .int, .null]), .converted(.quoted(.int), .int), .converted(.int, .string),
                .converted(.date(.seconds), .date(.iso8601)), .optional(.converted(.decimal, .quoted(.decimal))),
                .union([.converted(.quoted(.int), .int), .int, .array(.bool)]),
                .constrained(.int, Constraint(range: .init("-2", "100"))),
                .constrained(.scalar(.decimal), Constraint(range: .init("0", "1.5", excludesUpper: true))),
                .constrained(.string, Constraint(range: .init("1", "4"))),
                .constrained(.string, Constraint(range: .init(nil, "9"), pattern: "^[a-zé]+$")),
                .constrained(.string, Constraint(pattern: "e(d|\\s)")),
            ])
        }

        mutating func type(_ depth: Int) -> TypeExpression {
            if depth <= 0 || chance(4) { return scalar() }
            switch Int.random(in: 0..<12, using: &random) {
            case 0: return .array(type(depth - 1))
            case 1: return .constrained(.array(type(depth - 1)), Constraint(range: .init("1", "3")))
            case 2:
                return .constrained(
                    .array(pick([.string, .union([.int, .bool, .string])])),
                    Constraint(range: .init(nil, "4"), isUnique: true))
            case 3: return .dictionary(type(depth - 1))
            case 4: return .optional(type(depth - 1).withoutOptional)
            case 5: return byValue(depth)
            case 6: return byKeys(depth)
            case 7: return byName(depth)
            case 8: return pick([.named("Tree"), .named("Leaf")])
            case 9: return composed(depth)
            default: return object(depth)
            }
        }

        mutating func fields(_ depth: Int) -> [ObjectType.Field] {
            ["a", "b", "name", "long_key_é", "size"].shuffled(using: &random).prefix(
                Int.random(in: 0...4, using: &random)
            )
            .map { name in
                let type = type(depth - 1)
                let isRenamed = chance(5)
                var field = ObjectType.Field(
                    isRenamed ? name + "X" : name, chance(3) ? .optional(type.withoutOptional) : type,
                    from: isRenamed ? name : nil, default: chance(8) ? "null" : nil)
                field.mayBeAbsent = field.defaultJSON == nil && chance(8)
                return field
            }
        }

        /// Put together from places of which none lies in another.
        private mutating func composed(_ depth: Int) -> TypeExpression {
            let ways = [
                "p.q", "r[0].s", "t[-1].u", "t[?k==2].e", "t[1].o", "v.w[?k==\"x\"].y", "m[-1]", "z.*.b", "c.*.d[-1]",
                "f.g.h", "f.i",
            ]
            let count = Int.random(in: 1...5, using: &random)
            var fields: [ObjectType.Field] = []
            for way in ways.shuffled(using: &random).prefix(count) {
                let path = FieldPath(way) ?? FieldPath(components: [])
                let inner = type(depth - 1)
                let whole = path.hasWildcard ? .array(inner) : inner
                var field = ObjectType.Field(
                    "part\(fields.count)", chance(3) ? .optional(whole.withoutOptional) : whole)
                field.source = .path(path)
                field.mayBeAbsent = chance(6)
                if chance(8) { field.defaultJSON = "7" }
                fields.append(field)
            }
            if chance(3) { fields.append(.init("own", type(depth - 1))) }
            return .object(ObjectType(fields: fields.shuffled(using: &random)))
        }

        mutating func object(_ depth: Int) -> TypeExpression {
            .object(ObjectType(fields: fields(depth), unknown: pick([nil, nil, .drop, .pass, .reject])))
        }

        private mutating func byValue(_ depth: Int) -> TypeExpression {
            let kinds: [TypeExpression] = [.literals(["x", "y"]), .literals(["z"]), .constant("1"), .constant("true")]
            var members = kinds.shuffled(using: &random).prefix(Int.random(in: 2...3, using: &random))
                .map { kind -> TypeExpression in
                    let at = Int.random(in: 0...1, using: &random)
                    var list = fields(depth)
                    list.insert(.init("kind", kind), at: min(at, list.count))
                    return .object(ObjectType(fields: list))
                }
            if chance(4) { members.append(.object(ObjectType(fields: [.init("other", .int)]))) }
            if chance(4) { members.append(.null) }
            return .union(members)
        }

        private mutating func byKeys(_ depth: Int) -> TypeExpression {
            var members = (0..<2).map { number -> TypeExpression in
                .object(ObjectType(fields: [.init("own\(number)", scalar().withoutOptional)] + fields(depth)))
            }
            if chance(2) { members.append(.object(ObjectType(fields: fields(depth)))) }
            return .union(members)
        }

        private mutating func byName(_ depth: Int) -> TypeExpression {
            let alternatives = ["x", "1", "true"].prefix(Int.random(in: 1...3, using: &random)).map { value in
                ObjectChoice.Alternative(value: value, type: object(depth - 1))
            }
            return .choice(
                ObjectChoice(
                    key: "t", alternatives: alternatives, others: chance(2) ? pick([.scalar(.json), object(1)]) : nil))
        }
    }

    // MARK: Documents

    mutating func document() -> [UInt8] {
        var writer = Writer(random: random, types: types)
        writer.wrongOneIn = [3000, 200, 30][Int.random(in: 0..<3, using: &writer.random)]
        let text = writer.text(type, 7)
        random = writer.random
        var document = Array(text.utf8)
        if Int.random(in: 0..<12, using: &random) == 0 { document = random.mutated(document) }
        return document
    }

    mutating func cuts(of count: Int) -> [Int] { random.cuts(of: count) }

    struct Writer {
        var random: Seeded
        let types: [String: TypeExpression]
        var wrongOneIn = 3000

        mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &random) == 0 }

        mutating func pick<Element>(_ list: [Element]) -> Element {
            list[Int.random(in: 0..<list.count, using: &random)]
        }

        static let anything = [
            "null", "true", "false", "0", "1", "-1", "2.5", "1.0", "1e2", "99999999999", "\"\"", "\"red\"", "\"é\"",
            "\"1\"", "\"true\"", "[]", "[1,\"]\"]", "{}", "{\"kind\":\"x\"}", "{\"t\":1}", "\"a long text \\n\"", "-0",
            "\"\\u0072ed\"", "\"x\"",
        ]

        mutating func text(_ type: TypeExpression, _ depth: Int) -> String {
            if chance(wrongOneIn) || depth <= 0 { return pick(Self.anything) }
            switch type {
            case .scalar(let scalar): return text(scalar)
            case .literals(let strings): return "\"\(pick(strings))\""
            case .open(let strings): return chance(3) ? "\"new\"" : "\"\(pick(strings))\""
            case .constant(let json): return json
            case .converted(.quoted, _): return pick(["\"1\"", "\"-12\"", "\"0\"", "\"4\\u0032\""])
            case .converted(.date, _):
                return pick(["0", "1714564800", "-1.25", "951782400", "4102444800", "1709164800.5"])
            case .converted: return pick(["1", "12", "-7"])
            case .null: return "null"
            case .optional(let inner): return chance(3) ? "null" : text(inner, depth)
            case .named(let name): return text(types[name] ?? .null, depth - 1)
            case .array(let element): return list(element, Int.random(in: 0...3, using: &random), depth)
            case .constrained(.array(let element), let constraint):
                if constraint.isUnique { return pick(["[]", "[\"a\"]", "[\"a\",\"b\",\"c\"]", "[\"a\",\"\\u0061\"]"]) }
                return list(element, Int.random(in: chance(20) ? 0...4 : 1...3, using: &random), depth)
            case .constrained(.scalar(.string), _):
                return pick(["\"red\"", "\"e\"", "\"red\"", "\"ee d\"", "\"\\u00e9ed\""])
            case .constrained: return pick(["0", "1", "0.5", "7", "1", "0", "1", "100", "-2"])
            case .dictionary(let inner):
                let members = (0..<Int.random(in: 0...2, using: &random)).map { "\"k\($0)\":\(text(inner, depth - 1))" }
                return "{\(members.joined(separator: ","))}"
            case .union(let members): return text(pick(members), depth)
            case .object(let object): return self.object(object, [], depth)
            case .choice(let choice):
                guard let others = choice.others, chance(3) else {
                    let alternative = pick(choice.alternatives)
                    let value = alternative.value == "x" || chance(2) ? "\"\(alternative.value)\"" : alternative.value
                    guard case .object(let object) = alternative.type else { return "{}" }
                    return self.object(object, ["\"t\":\(value)"], depth)
                }
                return text(others, depth - 1)
            }
        }

        private mutating func list(_ element: TypeExpression, _ count: Int, _ depth: Int) -> String {
            "[" + (0..<count).map { _ in text(element, depth - 1) }.joined(separator: ",") + "]"
        }

        private mutating func object(_ object: ObjectType, _ more: [String], _ depth: Int) -> String {
            var members = more
            if object.isComposed { members += parts(of: object, depth) }
            for field in object.fields where field.source == nil {
                var isOptional = field.defaultJSON != nil || field.mayBeAbsent
                if case .optional = field.type { isOptional = true }
                if isOptional && chance(3) || chance(wrongOneIn) { continue }
                let key = field.from ?? field.name
                let written = chance(30) ? key.replacing("a", with: "\\u0061") : key
                members.append("\"\(written)\":\(text(field.type, depth - 1))")
            }
            if chance(8) { members.append("\"more\":\(pick(Self.anything))") }
            if chance(wrongOneIn), let first = members.first { members.append(first) }
            if !chance(3) { return "{\(members.joined(separator: ","))}" }
            return "{\(members.shuffled(using: &random).joined(separator: ","))}"
        }

        private mutating func text(_ scalar: Scalar) -> String {
            switch scalar {
            case .string:
                pick([
                    "\"\"", "\"fig\"", "\"a \\\" b\"", "\"{,}:\"", "\"\\ud83c\\udf4e\"",
                    "\"\(String(repeating: "long ", count: 30))\"",
                ])
            case .bool: pick(["true", "false"])
            case .double, .decimal: pick(["0", "1.5", "-2e3", "0.001", "7"])
            case .json: pick(Self.anything)
            case .quoted(.int): pick(["\"0\"", "\"-12\"", "\"42\""])
            case .quoted(.decimal): pick(["\"1.50\"", "\"0\""])
            case .quoted: pick(["\"true\"", "\"false\""])
            default: String(Int.random(in: 0...99, using: &random))
            }
        }
    }
}

extension TypeExpression {
    fileprivate var withoutOptional: TypeExpression {
        if case .optional(let inner) = self { inner.withoutOptional } else { self }
    }
}
