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
        ("1 | 2.5 | a-b/c", .literals(["1", "2.5", "a-b/c"])),
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
        ("Date(weeks)", 5, "'weeks' is no date format"), ("Int(8)", 0, "only Date takes a format"),
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
