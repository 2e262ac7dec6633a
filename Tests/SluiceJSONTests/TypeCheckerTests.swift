import SluiceContract
import SluiceJSON
import Testing

/// Every type against values of every kind.
@Suite struct TypeCheckerTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var type: TypeExpression
        var accepted: [String]
        var refused: [String]
        var testDescription: String { "\(type)" }

        init(_ type: TypeExpression, _ accepted: [String], _ refused: [String]) {
            self.type = type
            self.accepted = accepted
            self.refused = refused
        }
    }

    static let otherKinds = ["null", "true", #""x""#, "1", "[]", "{}"]

    static let cases: [Case] = [
        Case(.string, [#""""#, #""x""#, #""\n""#], ["null", "true", "1", "[]", "{}"]),
        Case(.bool, ["true", "false"], ["null", "0", #""true""#, "[]", "{}"]),
        Case(
            .int, ["0", "-0", "7", "-9223372036854775808", "9223372036854775807"],
            ["3.0", "1e3", "9223372036854775808", "-9223372036854775809", "1E0", "null", #""1""#, "true", "[]", "{}"]),
        Case(.scalar(.int8), ["-128", "127"], ["-129", "128", "1.0"]),
        Case(.scalar(.int16), ["-32768", "32767"], ["-32769", "32768"]),
        Case(.scalar(.int32), ["-2147483648", "2147483647"], ["-2147483649", "2147483648"]),
        Case(.scalar(.int64), ["9223372036854775807"], ["9223372036854775808"]),
        Case(
            .scalar(.uint), ["0", "18446744073709551615"],
            ["-1", "-0", "18446744073709551616", "100000000000000000000"]),
        Case(.scalar(.uint8), ["0", "255"], ["256", "-1", "-0"]),
        Case(.scalar(.uint16), ["65535"], ["65536", "-0"]),
        Case(.scalar(.uint32), ["4294967295"], ["4294967296", "-0"]),
        Case(.scalar(.uint64), ["18446744073709551615"], ["18446744073709551616", "-0"]),
        Case(.union([.scalar(.uint8), .scalar(.int8)]), ["-0", "-128", "255"], ["-129", "256"]),
        Case(
            .scalar(.double), ["0", "1.5", "-2e-400", "1e308", "123456789012345678901234567890"],
            ["1e309", "-1e400", #""1""#, "null"]),
        Case(.scalar(.decimal), ["0.10", "1e999", "12345678901234567890123456789012345678901234567890"], [#""1""#]),
        Case(.scalar(.date(.seconds)), ["0", "1700000000.5"], [#""2024-01-01""#]),
        Case(
            .scalar(.date(.iso8601)),
            [
                #""2024-02-29""#, #""2024-01-02T03:04:05Z""#, #""2024-01-02t03:04:05.123456789z""#,
                #""2024-01-02 03:04:05+05:30""#, #""2024-01-31T23:59:60-00:00""#, #""2024-01-02T03:04Z""#,
                #""2024-01-02T03:04:05+0530""#, #""2024\u002d01-02""#,
            ],
            [
                #""2023-02-29""#, #""2024-13-01""#, #""2024-00-01""#, #""2024-01-32""#, #""24-01-01""#,
                #""2024-01-02T03:04:05""#, #""2024-01-02T24:00:00Z""#, #""2024-01-02T03:60:00Z""#,
                #""2024-01-02T03:04:05.Z""#, #""2024-01-02T03:04:05Zx""#, #""""#, "0",
            ]),
        Case(
            .scalar(.date(.local)),
            [
                #""2024-05-01T12:00:00""#, #""2024-05-01T12:00""#, #""2024-05-01 12:00:00.5""#, #""2024-05-01""#,
                #""2024-05-01T12:00:00Z""#, #""2024-05-01T12:00:00.123+02:00""#,
            ],
            [
                #""12:00:00""#, #""2024-05-01T""#, #""2024-05-01T12""#, #""2024-05-01T12:00:00.""#,
                #""2024-02-30T12:00""#,
            ]
        ),
        Case(
            .scalar(.uuid), [#""123e4567-e89b-12d3-A456-426614174000""#],
            [#""123e4567e89b12d3a456426614174000""#, #""123e4567-e89b-12d3-a456-42661417400g""#, #""""#]),
        Case(
            .scalar(.url),
            [
                #""https://a.example:8443/b/%20?c=d#e""#, #""HTTP://a""#, #""mailto:a@b.example""#,
                #""https://u:p@[::1]:80/""#, #""https:\/\/a.example\/""#, #""urn:isbn:0""#, #""file:///etc""#,
                #""https://a.example/users/github-actions[bot]""#, #""https://a.example/users{/login}?q={x|y}""#,
                #""https://müller.example/straße?q=é#ü""#, #""http://{host}.example:65535?""#, #""https://a/100%""#,
                #""https://u:p@host@a.example/^`~!$'()*,;""#, #""ws://a:""#, #""http://a.b'c(d)*,/""#,
            ],
            [
                #""""#, #""a b""#, #""https://a.example/ b""#, #""https://[::1""#, #""1a:b""#, #""https://[]/""#,
                #""http://a:b/""#, #""é""#, #""foo""#, #""http://""#, #""http:///a""#, #""https://?a""#,
                #""https://#a""#,
                #""http://@/""#, #""http://:80/""#, #""http:a""#, #""http:/a""#, #""https:""#, #""mailto:""#, #""/a""#,
                #""//a.example""#, #""?q""#, #""http://a:65536/""#, #""http://a]/""#, #""http://a\\b""#,
                #""<http://a>""#, #""http://a/\u0000""#, #""http://a/\u007f""#, #""http://a/\"""#,
            ]),
        Case(
            .scalar(.data), [#""""#, #""AA==""#, #""AAA=""#, #""AA+/""#, #""AA\/\/""#],
            [#""A""#, #""A===""#, #""AA=A""#, #""AA-_""#, #""AA==AA==""#]),
        Case(.scalar(.json), otherKinds, []),
        Case(.null, ["null"], ["0", "false"]),
        Case(.optional(.int), ["null", "1"], ["1.5", "false"]),
        Case(.literals(["red", "green"]), [#""red""#, #""gr\u0065en""#], [#""Red""#, #""re""#, "null", "1"]),
        Case(.open(["red", "green"]), [#""red""#, #""blue""#, #""""#, #""gr\u0065en""#], ["null", "1"]),
        Case(.constant("1"), ["1"], ["1.0", "2", "-1", "10", #""1""#, "true"]),
        Case(.constant("true"), ["true"], ["false", "1", "null", #""true""#]),
        Case(
            .union([.constant("1"), .constant("2.50"), .constant("false"), .literals(["auto"])]),
            ["1", "2.50", "false", #""auto""#], ["3", "2.5", "true", #""x""#, "null"]),
        Case(.union([.constant("true"), .int]), ["true", "7"], ["false", "7.5"]),
        Case(.union([.constant("true"), .bool]), ["true", "false"], ["1"]),
        Case(
            .constrained(.int, Constraint(range: .init("1", "100"))), ["1", "100", "99"],
            ["0", "101", "-5", "1.5", "1e1", #""5""#, "1000000000000000000000"]),
        Case(.constrained(.int, Constraint(range: .init("-3", nil))), ["-3", "0", "9223372036854775807"], ["-4"]),
        Case(
            .constrained(.scalar(.double), Constraint(range: .init("0", "1", excludesUpper: true))),
            ["0", "-0.0", "0.999999999999999999999999", "1e-400", "9e-1"],
            ["1", "1.0", "10e-1", "-0.1", "1.0000000000000000000000001", "1e400"]),
        Case(
            .constrained(.scalar(.decimal), Constraint(range: .init("99.95", "1e3"))),
            ["99.95", "100", "0.9995e2", "1000", "1E3", "999.99999999999999999999"],
            ["99.94999999999", "1000.1", "1e4"]),
        Case(
            .constrained(.string, Constraint(range: .init("2", "3"))),
            [#""ab""#, #""äöü""#, #""🍎🍎""#, #""\ud83c\udf4e\u00e9""#, #""\n\n\n""#],
            [#""a""#, #""""#, #""äöüß""#, "12"]),
        Case(
            .constrained(.string, Constraint(range: .init(nil, "5"), pattern: "^[a-zé]+$")),
            [#""a""#, #""abcdé""#, #""caf\u00e9""#], [#""""#, #""abcdef""#, #""A""#, #""a1""#]),
        Case(
            .constrained(.array(.int), Constraint(range: .init("1", "3"))), ["[1]", "[1,2,3]", "[ 1 , 2 ]"],
            ["[]", "[1,2,3,4]", "[ ]", "{}"]),
        Case(
            .constrained(.array(.scalar(.json)), Constraint(range: .init("2", "2"))), [#"[{},[1,2,3]]"#],
            ["[]", "[1]", "[[1,2]]", "[1,2,3]"]),
        Case(
            .array(.fields(.init("a", .constrained(.array(.string), Constraint(range: .init(nil, "2")))))),
            [#"[{"a":["x","y"]},{"a":[]},{"a":["x"]}]"#, "[]"],
            [#"[{"a":["x","y"]},{"a":["x","y","z"]},{"a":["x"]}]"#]),
        Case(
            .constrained(
                .array(.union([.string, .int, .null, .bool])), Constraint(range: .init(nil, "9"), isUnique: true)),
            [#"["a","1",1,null,true,false,"b"]"#, "[]"],
            [#"["a","\u0061"]"#, "[1,2,1]", "[null,null]", "[true,1,true]"]),
        Case(
            .array(
                .fields(.init("a", .constrained(.array(.string), Constraint(range: .init(nil, "9"), isUnique: true))))),
            [#"[{"a":["x","y"]},{"a":["x"]},{"a":["y","x"]},{"a":["x","y"]}]"#],
            [#"[{"a":["x","y"]},{"a":["x","z"]},{"a":["y","y"]},{"a":["x","y"]}]"#]),
        Case(.scalar(.quoted(.decimal)), [#""1.50""#, #""-0e3""#], ["1.5", #""""#, #""1,5""#, #""x""#, #"" 1""#]),
        Case(.scalar(.quoted(.int)), [#""42""#], [#""4.2""#, "42", #""9223372036854775808""#]),
        Case(.scalar(.quoted(.bool)), [#""true""#, #""false""#], ["true", #""1""#]),
        Case(.scalar(.quoted(.double)), [#""1e3""#], [#""1e999""#, #""NaN""#]),
        Case(.union([.int, .null]), ["1", "null"], ["1.5", #""1""#]),
        Case(
            .union([.literals(["auto"]), .int, .scalar(.uuid)]),
            [#""auto""#, "3", #""123e4567-e89b-12d3-a456-426614174000""#], [#""x""#, "3.5", "null"]),
        Case(.union([.array(.int), .fields(.init("a", .int))]), ["[1]", #"{"a":1}"#], [#"["x"]"#, #"{"a":[]}"#]),
        Case(.array(.int), ["[]", "[1,2]"], ["[1,null]", "{}", "null"]),
        Case(.array(.array(.string)), ["[]", "[[]]", #"[["a"],[]]"#], [#"["a"]"#, "[[1]]"]),
        Case(.dictionary(.int), ["{}", #"{"a":1,"b":2}"#, #"{"a":1,"a":2}"#], [#"{"a":"x"}"#, "[]"]),
        Case(
            .fields(.init("a", .int), .init("b", .optional(.string))),
            [#"{"a":1}"#, #"{"b":null,"a":1}"#, #"{"a":1,"b":"x","c":[]}"#, #"{"\u0061":1}"#],
            ["{}", #"{"a":null}"#, #"{"a":1,"b":2}"#, #"{"a":1,"a":1}"#, "[]"]),
        Case(.fields(.init("a", .int), unknown: .reject), [#"{"a":1}"#], [#"{"a":1,"b":2}"#]),
        Case(.fields(unknown: .reject), ["{}"], [#"{"a":1}"#]),
    ]

    @Test(arguments: cases)
    func kind(_ test: Case) throws {
        for document in test.accepted {
            let plan = try Plan("", test.type)
            let run = Run(plan, document)
            #expect(run.faults == [], "\(document)")
            #expect(run.slices == [document])
            #expect(Run.deviations(plan, Array(document.utf8)) == [])
        }
        for document in test.refused {
            let plan = try Plan("", test.type)
            let run = Run(plan, document)
            #expect(run.faults.count == 1 && !run.isSyntax, "\(document) \(run)")
            #expect(Run.deviations(plan, Array(document.utf8)) == [])
        }
    }

    /// One of many that go by fast.
    @Test func aZeroHasASign() throws {
        let plan = try Plan("", .array(.fields(.init("id", .scalar(.uint8)))))
        let items = (0..<60).map { number in
            let id = number == 40 ? "-0" : String(number)
            return #"{"id":\#(id)}"#
        }
        let document = Array("[\(items.joined(separator: ","))]".utf8)
        #expect(Run(plan, document).faults.map(\.found) == ["number -0"])
        #expect(Run.deviations(plan, document) == [])
    }

    /// A text that is nearly of its type is told what it is.
    @Test(
        arguments: [
            (.date(.iso8601), "2024-05-01T12:00:00", "a time without an offset from UTC is of type Date(local)"),
            (.date(.iso8601), "yesterday", nil), (.date(.local), "x", nil),
            (.url, "/users/1", "a URL that begins without a scheme, such as https:, is a String"),
            (.url, "http://", nil), (.url, "a b", nil),
        ] as [(Scalar, String, String?)])
    func hints(_ scalar: Scalar, _ text: String, _ hint: String?) throws {
        let run = Run(try Plan("", .scalar(scalar)), "\"\(text)\"")
        #expect(run.faults.map(\.hint) == [hint])
        let parameter = try #require(try ScalarText(.scalar(scalar)))
        Array(text.utf8).withUnsafeBytes { #expect(parameter.hint(for: $0) == hint) }
    }

    @Test func manyFields() throws {
        let fields = (0..<200).map { ObjectType.Field("field\($0)", .int) }
        let type = TypeExpression.array(.object(ObjectType(fields: fields)))
        let object = "{" + (0..<200).reversed().map { #""field\#($0)":\#($0)"# }.joined(separator: ",") + "}"
        let lacking = "{" + (0..<200).filter { $0 != 130 }.map { #""field\#($0)":\#($0)"# }.joined(separator: ",") + "}"
        #expect(Run(try Plan("", type), "[\(object),\(object)]").faults == [])
        let run = Run(try Plan("", type), "[\(object),\(lacking)]")
        #expect(run.faults.map(\.name) == ["$[1]"])
        #expect(run.faults.first?.expected == #""field130": Int"#)
    }

    /// Objects of more than 64 keys within each other, with small ones between them: each knows its own keys.
    @Test(arguments: [70, 140])
    func manyFieldsWithinManyFields(_ count: Int) throws {
        let fields = (0..<count).map { ObjectType.Field("f\($0)", .int) }
        let lists: [ObjectType.Field] = [
            .init("small", .array(.fields(.init("a", .int)))),
            .init("large", .array(.object(ObjectType(fields: fields)))),
        ]
        let plan = try Plan("", .array(.object(ObjectType(fields: fields + lists))))
        func members(without missing: Int? = nil) -> String {
            (0..<count).filter { $0 != missing }.map { #""f\#($0)":\#($0)"# }.joined(separator: ",")
        }
        let small = #""small":[{"a":1},{"a":2}]"#
        let inner = "{\(members())}"
        func outer(_ own: String, _ inners: [String], _ last: String = "") -> String {
            #"{\#(own),\#(small),"large":[\#(inners.joined(separator: ","))]\#(last)}"#
        }
        let right = outer(members(), [inner, inner])
        let rows: [(object: String, name: String?, expected: String)] = [
            (right, nil, ""), (outer(members(without: 65), [inner, inner]), "$[1]", #""f65": Int"#),
            (outer(members(without: 3), [inner]), "$[1]", #""f3": Int"#),
            (outer(members(), [inner], #","f65":1"#), "$[1].f65", "the key once"),
            (outer(members(), [inner, "{\(members(without: 66))}", inner]), "$[1].large[1]", #""f66": Int"#),
        ]
        for row in rows {
            let document = Array("[\(right),\(row.object),\(right)]".utf8)
            let run = Run(plan, document)
            #expect(run.faults.map(\.name) == [row.name].compactMap(\.self), "\(row.expected)")
            if row.name != nil { #expect(run.faults.first?.expected == row.expected) }
            #expect(Run.deviations(plan, document) == [])
            #expect(Run.byteByByte(plan, document) == run)
        }
    }

    @Test func recursion() throws {
        let tree = TypeDefinition(
            name: "Tree", type: .fields(.init("value", .int), .init("children", .array(.named("Tree")))))
        let plan = try Plan([Extraction(type: .named("Tree"))], types: [tree])
        let good = #"{"value":1,"children":[{"value":2,"children":[]},{"children":[],"value":3}]}"#
        #expect(Run(plan, good).slices == [good])
        let bad = #"{"value":1,"children":[{"value":2,"children":[{"value":"x","children":[]}]}]}"#
        #expect(Run(plan, bad).faults.map(\.name) == ["$.children[0].children[0].value"])
        #expect(Run.deviations(plan, Array(bad.utf8)) == [])
    }
}
