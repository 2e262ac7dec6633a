import SluiceContract
import Testing

@testable import SluiceJSON

/// Texts of rows as one JSON array: whole, at every split point, and byte by byte.
@Suite struct RowReaderTests {
    static let fruit = TypeDefinition(
        name: "Fruit",
        type: .object(
            ObjectType(fields: [
                .init(name: "name", type: .scalar(.string)), .init(name: "size", type: .optional(.scalar(.int))),
                .init(name: "ripe", type: .scalar(.bool)), .init(name: "note", type: .optional(.scalar(.string))),
                .init(name: "stars", type: .scalar(.int), defaultJSON: "3"),
            ])))

    static func plan(
        _ format: RowPolicy.Format, _ row: TypeExpression = .named("Fruit"), rowBytesMax: Int = 1 << 20
    ) throws -> RowPlan {
        try RowPlan(
            RowPolicy(format), value: .array(row), types: NamedTypes([fruit]), keys: .verbatim, rowBytesMax: rowBytesMax
        )
    }

    /// What comes out, whatever the text is cut into.
    private static func read(_ plan: RowPlan, _ text: String) throws -> RowRun {
        let bytes = Array(text.utf8)
        let whole = RowRun(plan, bytes, cuts: [])
        for cut in bytes.indices.dropFirst() { #expect(RowRun(plan, bytes, cuts: [cut]) == whole, "cut at \(cut)") }
        #expect(RowRun(plan, bytes, cuts: Array(bytes.indices.dropFirst())) == whole)
        return whole
    }

    @Test(arguments: [
        ("", "[]"), ("\n\n", "[]"), ("1", "[1\n]"), ("1\n", "[1\n]"), ("1\n2", "[1\n,2\n]"),
        ("{\"a\": [1, 2]}\r\n\r\n  \t\"x,]\\\"\"\n", "[{\"a\": [1, 2]}\r\n,\"x,]\\\"\"\n]"),
        ("null\n\n[]\n", "[null\n,[]\n]"),
    ])
    func linesBecomeAnArray(_ text: String, _ array: String) throws {
        let run = try Self.read(Self.plan(.ndjson), text)
        #expect(run.text == array && run.fault == nil)
    }

    /// What would change the number of rows, or end the array.
    @Test(arguments: [
        ("1,2\n", "$[0]"), ("1\n[1\n2]\n", "$[1]"), ("1\n]\n", "$[1]"), ("{\"a\": \"\n\"}", "$[0]"), ("1\n{", "$[1]"),
        ("{}}", "$[0]"), ("1\n2\n,3\n", "$[2]"), ("\"\\", "$[0]"), ("{\"a\":1}{\"a\":2}\n", "$[0]"),
        ("1\n[1] [2]\n", "$[1]"), ("\"a\"\"b\"", "$[0]"), ("1 2\n", "$[0]"), ("{}\n \"a\" 1", "$[1]"),
    ])
    func aLineHoldsOneValue(_ text: String, _ place: String) throws {
        let fault = try #require(try Self.read(Self.plan(.ndjson), text).fault)
        #expect(fault.name == place && fault.expected == "one JSON value in each line")
    }

    @Test(arguments: [
        ("data: 1\n\n", "[1\n]"), ("data:1\r\rdata: 2\r\n\r\n", "[1\n,2\n]"),
        (": hi\n\nevent: x\nid: 7\nretry: 1\n\n", "[]"),
        ("event: x\ndata: {\"a\":\ndata:  1}\nid: 2\n\n", "[{\"a\":  1}\n]"), ("data\n\ndata:\n\ndata: 1\n\n", "[1\n]"),
        ("\u{FEFF}data: 1\n\n", "[1\n]"), ("datax: 1\n\ndata : 2\n\n", "[]"),
        ("data: 1\n\ndata: [DONE]\n\ndata: 2", "[1\n]"),
    ])
    func eventsBecomeAnArray(_ text: String, _ array: String) throws {
        let run = try Self.read(Self.plan(.events(end: "[DONE]")), text)
        #expect(run.text == array && run.fault == nil)
    }

    @Test(arguments: [
        ("data: 1,2\n\n", "$[0]"), ("data: 1\n\ndata: [1\n\n", "$[1]"), ("data: 1\n\ndata: 2\n", "$[1]"),
        ("data: {}\ndata: {}\n\n", "$[0]"), ("data: 1\n\ndata", "$[1]"),
        ("data: \"a\ndata: b\"\n\ndata: ]\n\n", "$[1]"),
        // Blanks alone are no row, be they all that comes or one of several.
        ("data:\ndata:\n\n", "$[0]"), ("data:  \t\n\n", "$[0]"), ("data: 1\n\ndata\ndata\n\ndata: 2\n\n", "$[1]"),
    ])
    func anEventHoldsOneValue(_ text: String, _ place: String) throws {
        #expect(try Self.read(Self.plan(.events(end: nil)), text).fault?.name == place)
    }

    @Test(arguments: [
        ("", "[]"), ("name,size\n", "[]"),
        ("name,size,ripe\napple,12,true\n", #"[{"name":"apple","size":12,"ripe":true}"# + "\n]"),
        (
            "name,size,ripe\r\n\"a \"\"b\"\", c\r\nd\",\"7\",FALSE",
            #"[{"name":"a \"b\", c\r\nd","size":7,"ripe":false}"# + "\n]"
        ),
        ("\u{FEFF}name,size\n\n,\n\"\",\"\"\n", "[{\"name\":\"\",\"size\":null}\n,{\"name\":\"\",\"size\":null}\n]"),
        (
            "name,note,stars\na,,\nb,\"\",5\n",
            #"[{"name":"a","note":null}"# + "\n" + #",{"name":"b","note":"","stars":5}"# + "\n]"
        ),
        (
            "size,other\n007,1\n1e3,\u{E9}\n",
            #"[{"size":"007","other":"1"}"# + "\n" + #",{"size":1e3,"other":"é"}"# + "\n]"
        ),
    ])
    func tablesBecomeAnArray(_ text: String, _ array: String) throws {
        let run = try Self.read(Self.plan(.csv(.init())), text)
        #expect(run.text == array && run.fault == nil, "\(run)")
    }

    @Test func columnsAreDeclared() throws {
        let plan = try Self.plan(.csv(.init(columns: ["name", "size"], separator: .semicolon)))
        #expect(try Self.read(plan, "a,b;1\n").text == "[{\"name\":\"a,b\",\"size\":1}\n]")
        let numbers = try Self.plan(.csv(.init()), .dictionary(.union([.scalar(.int), .scalar(.string), .null])))
        #expect(
            try Self.read(numbers, "x,y\n1,b\n,\"\"\n").text == "[{\"x\":1,\"y\":\"b\"}\n,{\"x\":null,\"y\":\"\"}\n]")
    }

    /// Of a column of numbers and texts, a number that the type has not is a text; of one of numbers, it is a fault.
    @Test func numbersOfTheType() throws {
        let upTo5 = TypeExpression.constrained(.scalar(.int), Constraint(range: .init("1", "5")))
        let types: KeyValuePairs<String, TypeExpression> = [
            "int": .union([.scalar(.int), .scalar(.string)]), "few": .union([upTo5, .scalar(.string)]),
            "one": .optional(.union([.constant("1"), .literals(["auto", "2"])])),
            "when": .union([.converted(.date(.seconds), .date(.iso8601)), .scalar(.string)]), "only": .scalar(.int),
        ]
        let fields = types.map { ObjectType.Field(name: $0.key, type: $0.value) }
        let plan = try Self.plan(.csv(.init()), .object(ObjectType(fields: fields)))
        let rows = try Self.read(
            plan,
            "int,few,one,when,only\n7,5,1,1.5,1.5\n1.5,9,2,1e400,x\n"
                + "9223372036854775808,0,1.0,now,-0\n-0,1.0,,1e3,9223372036854775808\n"
        ).rows
        #expect(
            rows == [
                #"{"int":7,"few":5,"one":1,"when":1.5,"only":1.5}"#,
                #"{"int":"1.5","few":"9","one":"2","when":"1e400","only":"x"}"#,
                #"{"int":"9223372036854775808","few":"0","one":"1.0","when":"now","only":-0}"#,
                #"{"int":-0,"few":"1.0","one":null,"when":1e3,"only":9223372036854775808}"#,
            ])
    }

    /// The numbers of a column are compiled with the plan, which says what is wrong with them.
    @Test func aColumnThatCannotBeCompiledIsAnError() {
        let odd = TypeExpression.constrained(.scalar(.int), Constraint(pattern: "["))
        #expect(throws: PlanError.self) {
            _ = try Self.plan(.csv(.init()), .dictionary(.union([odd, .scalar(.string)])))
        }
    }

    /// Quotes tell an empty string from nothing where an empty string can be meant.
    @Test func quotesAroundNothing() throws {
        let types: KeyValuePairs<String, TypeExpression> = [
            "text": .scalar(.string), "any": .scalar(.json), "named": .literals(["", "a"]),
            "date": .scalar(.date(.iso8601)),
            "url": .scalar(.url), "id": .scalar(.uuid), "kind": .literals(["a", "b"]), "open": .open(["a"]),
            "data": .scalar(.data), "count": .scalar(.quoted(.int)), "number": .scalar(.int),
        ]
        let fields = types.map { ObjectType.Field(name: $0.key, type: .optional($0.value)) }
        let filled = ObjectType.Field(name: "since", type: .scalar(.date(.iso8601)), defaultJSON: "\"2026-01-01\"")
        let plan = try Self.plan(.csv(.init()), .object(ObjectType(fields: fields + [filled])))
        let names = types.map(\.key).joined(separator: ",") + ",since\n"
        let quoted = try Self.read(plan, names + Array(repeating: "\"\"", count: 12).joined(separator: ",") + "\n")
        let strings: Set<String> = ["text", "any", "named"]
        let members = types.map { "\"\($0.key)\":" + (strings.contains($0.key) ? "\"\"" : "null") }
        #expect(quoted.rows == ["{" + members.joined(separator: ",") + "}"])
        let bare = try Self.read(plan, names + Array(repeating: "", count: 12).joined(separator: ",") + "\n")
        #expect(bare.rows == ["{" + types.map { "\"\($0.key)\":null" }.joined(separator: ",") + "}"])
    }

    /// Of several names that stand there twice it is always the same one that is told.
    @Test func namesStandOnce() throws {
        let text = "a,b,c,d,d,c,b,a\n"
        for _ in 0..<20 {
            let fault = try #require(try Self.read(Self.plan(.csv(.init())), text).fault)
            #expect(fault.found == "'d' twice in the first record")
        }
    }

    /// A name that is mended would be another one.
    @Test func namesAreUTF8() throws {
        let text = Array("a,b".utf8) + [0xE9] + Array("\n1,2\n".utf8)
        let fault = try #require(try RowRun(Self.plan(.csv(.init())), text, cuts: []).fault)
        #expect(fault.name == "$[0]" && fault.expected == "names in UTF-8 in the first record")
        #expect(fault.found == "'b\u{FFFD}'")
    }

    @Test(arguments: [
        ("a,b\n1\n", "$[0]", "2 fields"), ("a\n1\n1,2\n", "$[1]", "1 fields"), ("a\nb\"c\n", "$[0]", "quotes around"),
        ("a\n\"b\"c\n", "$[0]", "a separator"), ("a\n\"b", "$[0]", "a quote behind"), ("a\rb\n", "$[0]", "a line feed"),
        ("a\nb\r", "$[0]", "a line feed"), ("a,b,a\n", "$[0]", "a name of its own"),
    ])
    func whatIsNoTable(_ text: String, _ place: String, _ expected: String) throws {
        let fault = try #require(try Self.read(Self.plan(.csv(.init())), text).fault)
        #expect(fault.name == place && fault.expected.hasPrefix(expected), "\(fault)")
    }

    @Test(arguments: [RowPolicy.Format.ndjson, .csv(.init()), .events(end: nil)])
    func aRowHasALimit(_ format: RowPolicy.Format) throws {
        let row: (Int) -> String = { count in
            switch format {
            case .ndjson: String(repeating: "1", count: count) + "\n"
            case .csv: String(repeating: "n", count: count - 1) + "\n"
            case .events: "data:" + String(repeating: "1", count: count - 5) + "\n\n"
            }
        }
        let plan = try Self.plan(format, rowBytesMax: 20)
        #expect(try Self.read(plan, row(20)).fault == nil)
        let fault = try #require(try Self.read(plan, row(21)).fault)
        #expect(fault.expected == "a row of at most 20 bytes ('limits: row')")
    }

    @Test func aTableHasLimits() throws {
        let many = (0...RowPolicy.Table.columnsMax).map(String.init).joined(separator: ",")
        let long = String(repeating: "n", count: RowPolicy.Table.nameBytesMax + 1)
        for text in [many, long] {
            #expect(try RowRun(Self.plan(.csv(.init())), Array(text.utf8), cuts: []).fault != nil)
        }
    }
}
