import SluiceContract
import Testing

@Suite struct TypeNotationTests {
    /// DESIGN §7, one row for each form.
    static let types: [(String, TypeExpression)] = [
        ("String", .scalar(.string)), ("Bool", .scalar(.bool)), ("JSON", .scalar(.json)),
        ("Int", .scalar(.int)), ("Int8", .scalar(.int8)), ("Int16", .scalar(.int16)), ("Int32", .scalar(.int32)),
        ("Int64", .scalar(.int64)), ("UInt", .scalar(.uint)), ("UInt8", .scalar(.uint8)),
        ("UInt16", .scalar(.uint16)), ("UInt32", .scalar(.uint32)), ("UInt64", .scalar(.uint64)),
        ("Double", .scalar(.double)), ("Decimal", .scalar(.decimal)), ("UUID", .scalar(.uuid)),
        ("URL", .scalar(.url)), ("Data", .scalar(.data)), ("Date", .scalar(.date(.iso8601))),
        ("Date(iso8601)", .scalar(.date(.iso8601))), ("Date(seconds)", .scalar(.date(.seconds))),
        ("Date( milliseconds )", .scalar(.date(.milliseconds))),
        ("Fruit", .named("Fruit")), ("Fruit.Kind", .named("Fruit.Kind")),
        ("Int?", .optional(.scalar(.int))), ("Int ?", .optional(.scalar(.int))),
        ("[Fruit]", .array(.named("Fruit"))), ("[[Int]?]", .array(.optional(.array(.scalar(.int))))),
        ("[Int]?", .optional(.array(.scalar(.int)))), ("[Int?]", .array(.optional(.scalar(.int)))),
        ("[String: Int]", .dictionary(.scalar(.int))),
        ("[String:[Fruit]]?", .optional(.dictionary(.array(.named("Fruit"))))),
        ("red | green|yellow", .literals(["red", "green", "yellow"])),
        ("\"Red\" | \"light green\" | \"null\"", .literals(["Red", "light green", "null"])),
        ("1 | 2.5 | a-b/c", .union([.constant("1"), .constant("2.5"), .literals(["a-b/c"])])),
        ("true", .constant("true")), ("-1e3 | false", .union([.constant("-1e3"), .constant("false")])),
        ("Int | true", .union([.scalar(.int), .constant("true")])), ("007 | 2x", .literals(["007", "2x"])),
        ("red | green | …", .open(["red", "green"])), ("red | ... | green", .open(["red", "green"])),
        ("(red | …)?", .optional(.open(["red"]))), ("Int | red | …", .union([.scalar(.int), .open(["red"])])),
        ("red | … | null", .union([.open(["red"]), .null])), ("\"…\" | \"...\"", .literals(["…", "..."])),
        ("Int(1...100)", .constrained(.scalar(.int), Constraint(range: .init("1", "100")))),
        ("Int( 1 ... )", .constrained(.scalar(.int), Constraint(range: .init("1", nil)))),
        ("UInt8(...9)", .constrained(.scalar(.uint8), Constraint(range: .init(nil, "9")))),
        ("Int(-5...-1)?", .optional(.constrained(.scalar(.int), Constraint(range: .init("-5", "-1"))))),
        (
            "Double(0..<1.5)",
            .constrained(.scalar(.double), Constraint(range: .init("0", "1.5", excludesUpper: true)))
        ),
        ("Decimal(0.5…1e3)", .constrained(.scalar(.decimal), Constraint(range: .init("0.5", "1e3")))),
        ("String(1...80)", .constrained(.scalar(.string), Constraint(range: .init("1", "80")))),
        ("String(2)", .constrained(.scalar(.string), Constraint(range: .init("2", "2")))),
        ("String(/^[a-z/]+\\/(x|y)$/)", .constrained(.scalar(.string), Constraint(pattern: "^[a-z/]+\\/(x|y)$"))),
        (
            "String(/a, b/, 1...9) | null",
            .union([.constrained(.scalar(.string), Constraint(range: .init("1", "9"), pattern: "a, b")), .null])
        ),
        ("[Int](0...50)", .constrained(.array(.scalar(.int)), Constraint(range: .init("0", "50")))),
        (
            "[a | b](...9, unique)",
            .constrained(.array(.literals(["a", "b"])), Constraint(range: .init(nil, "9"), isUnique: true))
        ),
        ("Date(seconds) -> Date", .converted(.date(.seconds), .date(.iso8601))),
        ("(Int(string) -> Int)?", .optional(.converted(.quoted(.int), .int))),
        ("Int -> String?", .optional(.converted(.int, .string))),
        ("[Decimal(string) -> Decimal | null]", .array(.union([.converted(.quoted(.decimal), .decimal), .null]))),
        ("Decimal(string)", .scalar(.quoted(.decimal))), ("[Int(string)]", .array(.scalar(.quoted(.int)))),
        ("red", .literals(["red"])),
        ("(red | green)?", .optional(.literals(["red", "green"]))),
        ("String | null", .union([.scalar(.string), .null])),
        ("null | String", .union([.scalar(.string), .null])),
        ("red | null | green", .union([.literals(["red", "green"]), .null])),
        ("Int | String", .union([.scalar(.int), .scalar(.string)])),
        ("Int | auto | [Int]", .union([.scalar(.int), .literals(["auto"]), .array(.scalar(.int))])),
        ("[Int | String]", .array(.union([.scalar(.int), .scalar(.string)]))),
        ("(Int | (String | null))?", .optional(.union([.scalar(.int), .scalar(.string), .null]))),
        ("  Int\t", .scalar(.int)),
    ]

    @Test(arguments: types) func reads(_ text: String, _ type: TypeExpression) throws {
        #expect(try TypeNotation.type(text).type == type)
    }

    /// What is printed reads as the same type.
    @Test(arguments: types) func describes(_ text: String, _ type: TypeExpression) throws {
        #expect(try TypeNotation.type(type.description).type == type, "\(type)")
    }

    @Test(arguments: [
        ("Int = 10", "10", 6), ("Bool=true", "true", 5), ("String = a b = c ", "a b = c", 9), ("[Int] = []", "[]", 8),
        ("red | green = green", "green", 14), ("String = \"\"", "\"\"", 9), ("Int? = null", "null", 7),
    ])
    func readsDefaults(_ text: String, _ value: String, _ offset: Int) throws {
        let reading = try TypeNotation.field(text)
        #expect(reading.defaultText == value)
        #expect(reading.defaultOffset == offset)
    }

    @Test func tellsWhereNamesStand() throws {
        let reading = try TypeNotation.field("[String: Fruit] | Ape = x")
        #expect(reading.mentions.map(\.name) == ["Fruit", "Ape"])
        #expect(reading.mentions.map(\.offset) == [9, 18])
    }

    @Test(arguments: [
        ("", 0, "a type is missing"), ("Int |", 5, "a type is missing"), ("?", 0, "this character begins no type"),
        ("[Int", 4, "a bracket is open"), ("[String: Int", 12, "a bracket is open"),
        ("[Int: String]", 1, "keys of a dictionary are strings"), ("(Int", 4, "a parenthesis is open"),
        ("Int??", 4, "the type is optional already"), ("(Int?)?", 6, "the type is optional already"),
        ("Int? | String", 0, "an alternative cannot be optional by itself"), ("null", 0, "'null' alone is no type"),
        ("null?", 4, "'null' cannot be optional"), ("a | null | null", 0, "'null' stands twice"),
        ("Int | Int", 0, "an alternative stands twice"), ("a | b | a", 0, "an alternative stands twice"),
        ("Date(weeks)", 5, "'weeks' is no date format"), ("Int(8)", 4, "'8' is no range"),
        ("Int()", 4, "the parentheses are empty"), ("Int(1..100)", 4, "'1..100' is no range"),
        ("Int(1-100)", 4, "'1-100' is no range"), ("Int(>0)", 4, "'>0' is no range"),
        ("Int(1.5...2)", 4, "'1.5' is no whole number"), ("Int(9...1)", 4, "nothing is in the range 9...1"),
        ("Double(1..<1)", 7, "nothing is in the range 1..<1"), ("String(-1...2)", 7, "no length is below 0"),
        ("String(max: 80)", 7, "'max: 80' is no range"), ("String(/a", 7, "a pattern is open"),
        ("String(//)", 7, "the pattern is empty"), ("String(/a/i)", 10, "'i' behind a pattern means nothing here"),
        ("String(/a/, /b/)", 12, "a pattern stands twice"), ("Int(1...2, 3...4)", 11, "a range stands twice"),
        ("[Int](/a/)", 6, "'/a/' is no range"), ("UUID(1...2)", 0, "'UUID' takes nothing in parentheses"),
        ("Fruit(1...2)", 0, "'Fruit' takes nothing in parentheses"), ("Int(1...2", 9, "a parenthesis is open"),
        ("String -> Int", 0, "nothing leads from String to Int"), ("Int -> Date", 0, "nothing leads from Int to Date"),
        ("Int ->", 6, "a type is missing"), ("Fruit -> Int", 0, "nothing leads from Fruit to Int"),
        ("…", 0, "'…' alone is no type"), ("Int | …", 0, "'…' says that more strings may follow, and there are none"),
        ("Date(seconds", 12, "a parenthesis is open"), ("\"red", 0, "a quote is open"),
        ("Int Int", 4, "there is more text behind the type"), ("Int =", 5, "the default is missing"),
        ("Int]", 3, "there is more text behind the type"),
    ])
    func refuses(_ text: String, _ offset: Int, _ message: String) {
        let error = #expect(throws: TypeNotation.Malformed.self) { try TypeNotation.field(text) }
        #expect(error?.message == message)
        #expect(error?.offset == offset)
    }

    @Test func refusesDefaultsWhereTypesStandAlone() {
        #expect(throws: TypeNotation.Malformed.self) { try TypeNotation.type("Int = 1") }
    }

    /// A file cannot make the parser run out of stack.
    @Test func boundsItsDepth() throws {
        let deep = { (count: Int) in String(repeating: "[", count: count) + "Int" + String(repeating: "]", count: count)
        }
        _ = try TypeNotation.type(deep(31))
        #expect(throws: TypeNotation.Malformed.self) { try TypeNotation.type(deep(32)) }
        #expect(throws: TypeNotation.Malformed.self) { try TypeNotation.type(deep(100_000)) }
    }
}
