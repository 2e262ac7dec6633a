import SluiceContract
import SluiceJSON
import Testing

/// Values made of types: the engine itself says whether they are right.
@Suite struct ValueGeneratorTests {
    private static let wanted = 10_000
    private static let parts = 4

    /// Types with all that the notation has. Some have no value, or none that chance finds; those are few.
    @Test(arguments: 0..<parts) func everyValueIsOfItsType(part: Int) throws {
        var missed: [UInt64] = []
        let seeds = stride(from: UInt64(part), to: UInt64(Self.wanted), by: Self.parts)
        for seed in seeds {
            let made = RandomTypes(seed: seed)
            let rule = RightDefaults(types: made.definitions.localForms(.verbatim))
            let (type, definitions) = (rule.kept(in: made.type), made.definitions.map(rule.kept))
            let local = definitions.localForms(.verbatim)
            guard let plan = try? Plan([Extraction(type: type.localForm(.verbatim))], types: local) else { continue }
            let generator = ValueGenerator(type, types: definitions)
            guard let bytes = generator.json(seed: seed) else {
                missed.append(seed)
                continue
            }
            let run = Run(plan, bytes)
            #expect(run.faults.isEmpty, "seed \(seed), type \(type): \(String(decoding: bytes, as: UTF8.self))")
            #expect(generator.json(seed: seed) == bytes)
        }
        #expect(missed.count < Self.wanted / Self.parts / 50, "\(missed.count): \(missed.prefix(20))")
    }

    @Test(arguments: [
        "String", "Int8", "UInt64", "Double", "Decimal", "Date", "Date(local)", "Date(seconds)", "Date(milliseconds)",
        "UUID", "URL", "Data", "Decimal(string)", "Bool(string)", "JSON", "red | green", "red | green | …", "1 | 2",
        "[Int]", "Int?", "Int | String | null", "Int(1...100)", "Int(..<0)", "Decimal(0..<1.5)",
        "Double(-1.5...)", "String(1...4)", "String(5)", "String(/^[A-Z]{3}-[0-9]+$/)", "String(2...9, /^[a-z]+$/)",
        "[Int](3)", "[Int](2...5, unique)", "[Bool](unique)", "Date(seconds) -> Date", "Int(1000000...1000010)",
        "String(/(a|bc)+x?/)", "String(/^\\d{4}-\\d{2}$/)", "UInt8(250...)", "[Date(milliseconds)]",
        "[Date -> Date(milliseconds)]",
    ])
    func everyNotationHasValues(_ notation: String) throws {
        let type = try TypeNotation.type(notation).type
        let generator = ValueGenerator(type, types: [])
        for seed in UInt64(0)..<50 {
            let bytes = try #require(generator.json(seed: seed), "\(notation), seed \(seed)")
            let faults = try bytes.withUnsafeBytes { try JSONCheck.check($0, type: type.localForm(.verbatim)) }
            #expect(faults == [], "\(notation): \(String(decoding: bytes, as: UTF8.self))")
        }
    }

    /// The least, the largest and the strangest come first.
    @Test func aListBeginsWithItsEdges() throws {
        let bytes = try #require(ValueGenerator(.array(.scalar(.int8)), types: []).json(seed: 1))
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.hasPrefix("[-128,127,"), "\(text)")
        #expect(text.split(separator: ",").count >= 5)
    }

    @Test func oneSeedIsOneValueAndAnotherSeedAnother() throws {
        let type = TypeExpression.array(.fields(.init("name", .string), .init("size", .optional(.int))))
        let generator = ValueGenerator(type, types: [])
        let values = (UInt64(0)..<20).map { generator.json(seed: $0) }
        #expect(Set(values).count > 10)
        #expect(generator.json(seed: 7) == ValueGenerator(type, types: []).json(seed: 7))
    }

    /// Letters and digits rather than other characters, which are seldom and not never.
    @Test func textsAreReadable() throws {
        let generator = ValueGenerator(try TypeNotation.type("String(/^[!0-9]{8}$/)").type, types: [])
        let values = (UInt64(0)..<200).compactMap { generator.json(seed: $0) }
        let odd = values.filter { $0.contains(UInt8(ascii: "!")) }.count
        #expect(values.count == 200 && (1..<100).contains(odd), "\(odd)")
    }

    /// A type that holds itself comes to an end; one that can never end has no value.
    @Test func recursionEnds() throws {
        let tree = TypeExpression.fields(.init("name", .string), .init("children", .array(.named("Tree"))))
        let types = [TypeDefinition(name: "Tree", type: tree)]
        for seed in UInt64(0)..<50 {
            let bytes = try #require(ValueGenerator(.named("Tree"), types: types).json(seed: seed))
            #expect(bytes.count < 200_000)
        }
    }

    /// A type that is wide at every level is not made in full: of so many values all become as small as they can.
    @Test func aWideTypeHasValuesOfABoundedSize() throws {
        let fields = (0..<12).map { ObjectType.Field("f\($0)", .optional(.named("Wide"))) }
        let types = [TypeDefinition(name: "Wide", type: .object(ObjectType(fields: fields)))]
        let generator = ValueGenerator(.named("Wide"), types: types)
        var sizes: [Int] = []
        for seed in UInt64(0)..<20 { sizes.append(try #require(generator.json(seed: seed)).count) }
        #expect(sizes.allSatisfy { $0 < 60_000 }, "\(sizes)")
        #expect(sizes.contains { $0 > 5_000 }, "\(sizes)")
    }

    /// A list or a text that has to be longer than anybody looks at is not made.
    @Test(arguments: [
        ("[Int](1000)", true), ("[Int](1001)", false), ("String(4000)", true), ("String(4001)", false),
    ])
    func whatHasToBeLongHasABound(_ notation: String, _ isMade: Bool) throws {
        let generator = ValueGenerator(try TypeNotation.type(notation).type, types: [])
        #expect((generator.json(seed: 1) != nil) == isMade)
    }

    @Test func aPatternThatNothingMatchesHasNoValue() throws {
        let type = TypeExpression.constrained(.string, Constraint(range: .init("5", "5"), pattern: "^a$"))
        #expect(ValueGenerator(type, types: []).json(seed: 1) == nil)
    }
}

/// A page has no default that is not of its type; made-up types have.
private struct RightDefaults {
    /// In their local forms.
    let types: [TypeDefinition]

    func kept(in definition: TypeDefinition) -> TypeDefinition {
        TypeDefinition(name: definition.name, type: kept(in: definition.type))
    }

    func kept(in type: TypeExpression) -> TypeExpression {
        switch type {
        case .scalar, .literals, .open, .constant, .converted, .null, .named: type
        case .constrained(let inner, let constraint): .constrained(kept(in: inner), constraint)
        case .array(let element): .array(kept(in: element))
        case .dictionary(let value): .dictionary(kept(in: value))
        case .optional(let wrapped): .optional(kept(in: wrapped))
        case .union(let members): .union(members.map(kept))
        case .choice(let choice):
            .choice(
                ObjectChoice(
                    key: choice.key,
                    alternatives: choice.alternatives.map { .init(value: $0.value, type: kept(in: $0.type)) },
                    others: choice.others.map(kept)))
        case .object(let object): .object(kept(in: object))
        }
    }

    private func kept(in object: ObjectType) -> ObjectType {
        var object = object
        for index in object.fields.indices {
            let field = object.fields[index]
            object.fields[index].type = kept(in: field.type)
            if let json = field.defaultJSON, !isRight(json, field.type) { object.fields[index].defaultJSON = nil }
        }
        return object
    }

    private func isRight(_ json: String, _ type: TypeExpression) -> Bool {
        Array(json.utf8).withUnsafeBytes {
            (try? JSONCheck.check($0, type: type.localForm(.verbatim), types: types))?.isEmpty ?? false
        }
    }
}
