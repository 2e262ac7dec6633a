import SluiceContract
import Testing

@testable import SluiceConsole

@Suite struct SampleValueTests {
    static let rows: [(TypeExpression, String)] = [
        (.scalar(.bool), "true"), (.constrained(.scalar(.int), Constraint(range: .init(nil, "-3"))), "-3"),
        (.constrained(.scalar(.string), Constraint(range: .init("6", "9"))), "\"aaaaaa\""),
        (.constrained(.scalar(.string), Constraint(range: .init("1", "9"))), "\"text\""),
        (.constrained(.array(.scalar(.int)), Constraint(range: .init("2", nil))), "[1,1]"),
        (.optional(.open(["a", "b"])), "\"a\""), (.union([.null, .scalar(.int)]), "1"),
        (.dictionary(.constant("7")), #"{"key":7}"#), (.converted(.date(.seconds), .bool), "true"),
    ]

    @Test(arguments: rows) func fitsItsType(_ type: TypeExpression, _ json: String) {
        #expect(SampleValue(NamedTypes([])).json(type).text == json)
    }

    @Test func recursiveTypesEnd() {
        let field = ObjectType.Field(name: "next", type: .array(.named("Node")))
        let types = NamedTypes([TypeDefinition(name: "Node", type: .object(ObjectType(fields: [field])))])
        #expect(SampleValue(types).json(.named("Node")).text.utf8.count < 200)
    }

    /// Types that go round without an object, and wide ones that would have millions of members.
    @Test func cyclesAndWidthEnd() {
        let cycle = NamedTypes([
            TypeDefinition(name: "Nest", type: .union([.array(.named("Nest")), .scalar(.string)]))
        ])
        #expect(SampleValue(cycle).text(.named("Nest")).utf8.count < 100)
        #expect(SampleValue(cycle).values(.array(.named("Nest"))) == nil)
        #expect(SampleValue(cycle).json(.named("Nest")).text.utf8.count < 100)
        let fields = (0..<12).map { ObjectType.Field(name: "f\($0)", type: .optional(.named("Wide"))) }
        let wide = NamedTypes([TypeDefinition(name: "Wide", type: .object(ObjectType(fields: fields)))])
        #expect(SampleValue(wide).json(.named("Wide")).text.utf8.count < 10_000)
    }

    /// In a path or a query there is one element, without quotes.
    @Test func textIsPlain() {
        let samples = SampleValue(NamedTypes([]))
        #expect(samples.text(.array(.literals(["red", "green"]))) == "red")
        #expect(samples.text(.optional(.scalar(.int))) == "1")
        #expect(samples.values(.optional(.array(.literals(["red", "green"])))) == ["red", "green"])
        #expect(samples.values(.scalar(.int)) == nil)
    }
}
