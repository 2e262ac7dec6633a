import SluiceContract
import SluiceJSON
import Testing

/// What is dropped, renamed or put in changes; all else passes byte for byte.
@Suite struct EditTests {
    static let fruit = TypeExpression.named("Fruit")

    @Test(arguments: [
        ("{}", "{}"),
        (#"{ "a" : 1 }"#, #"{ "a" : 1 }"#),
        (#"{"x":1}"#, "{}"),
        (#"{ "x": [1, {}] }"#, "{ }"),
        (#"{"x":1,"y":2}"#, "{}"),
        (#"{"x":1,"a":2}"#, #"{"a":2}"#),
        (#"{"a":1,"x":2}"#, #"{"a":1}"#),
        (#"{ "a":1 , "x":2 }"#, #"{ "a":1 }"#),
        (#"{ "x": "," , "a": 1 , "y": {"a":3}, "b": 2 }"#, #"{ "a": 1, "b": 2 }"#),
        (#"{"x":1,"y":1,"a":1,"z":1,"z":1,"b":1,"q":1}"#, #"{"a":1,"b":1}"#),
        (#"{"b":{"x":1},"a":[{"x":1}]}"#, #"{"b":{"x":1},"a":[{"x":1}]}"#),
    ])
    func unknownKeysDropped(_ document: String, _ slice: String) throws {
        let json = TypeExpression.optional(.scalar(.json))
        let plan = try Plan("", .fields(.init("a", json), .init("b", json)), unknown: .drop)
        try expect(plan, document, slice)
        // As elements and as parts of an object that is dropped from itself.
        let nested = try Plan(
            "v", .fields(.init("w", .array(.fields(.init("a", json), .init("b", json))))), unknown: .drop)
        try expect(
            nested, #"{"u":0,"v":{"t":1,"w":[\#(document),\#(document)],"s":[]}}"#, #"{"w":[\#(slice),\#(slice)]}"#)
    }

    @Test(arguments: [
        (#"{"full_name":"x","size":1}"#, #"{"fullName":"x","size":1}"#),
        (
            #"{ "size" : 1 , "full_name" : "x" , "other_key" : 2 }"#,
            #"{ "size" : 1 , "fullName" : "x" , "other_key" : 2 }"#
        ),
        (#"{"full\u005fname":"x","size":1}"#, #"{"fullName":"x","size":1}"#),
    ])
    func keysRenamed(_ document: String, _ slice: String) throws {
        let type = TypeExpression.fields(.init("fullName", .string), .init("size", .int))
        try expect(try Plan("", type, keys: .camelCase), document, slice)
        let from = TypeExpression.fields(.init("fullName", .string, from: "full_name"), .init("size", .int))
        try expect(try Plan("", from), document, slice)
    }

    @Test func renamesGoTheOtherWayUpstream() throws {
        let type = TypeExpression.fields(.init("fullName", .string), .init("htmlURL", .string, from: "link"))
        let plan = try Plan("", type, keys: .camelCase, direction: .toUpstream)
        try expect(plan, #"{"fullName":"x","htmlURL":"y"}"#, #"{"full_name":"x","link":"y"}"#)
        let run = Run(plan, #"{"full_name":"x","htmlURL":"y"}"#)
        #expect(run.faults.map(\.location) == ["body", "body"])
    }

    /// Else a reader who takes the last of two members would take one that nobody has checked.
    @Test(arguments: [
        (#"{"full_name":"x","fullName":7}"#, 17), (#"{"fullName":7,"full_name":"x"}"#, 1),
        (#"{"full_name":"x","full\u004eame":7}"#, 17),
    ])
    func undeclaredKeyMayNotTakeANewName(_ document: String, _ offset: Int) throws {
        let type = TypeExpression.fields(.init("fullName", .string))
        let plan = try Plan("", type, keys: .camelCase)
        let run = Run(plan, document)
        #expect(run.faults.map(\.name) == ["$.fullName"])
        #expect(run.faults.map(\.expected) == ["no key by the name of a renamed one"])
        #expect(run.faults.map(\.offset) == [offset])
        #expect(Run.deviations(plan, Array(document.utf8)) == [])
        try expect(try Plan("", type, unknown: .drop, keys: .camelCase), document, #"{"fullName":"x"}"#)
    }

    /// It is a fault wherever it stands, and that it stands twice is none beside it.
    @Test func everyUndeclaredKeyThatTakesANewNameIsTold() throws {
        let plan = try Plan("", .fields(.init("fullName", .string)), keys: .camelCase)
        let document = #"{"fullName":7,"full_name":"x","fullName":8}"#
        let run = Run(plan, document)
        #expect(run.faults.map(\.expected) == Array(repeating: "no key by the name of a renamed one", count: 2))
        #expect(run.faults.map(\.offset) == [1, 30])
        #expect(Run.deviations(plan, Array(document.utf8)) == [])
    }

    /// To others who look at the same object it is a key that they do not name.
    @Test func whatIsTakenFromOneIsNothingToAnother() throws {
        let renaming = Extraction(type: .fields(.init("fullName", .string, from: "full_name")))
        let passing = Extraction(type: .fields(.init("full_name", .string)))
        let plan = try Plan([renaming, passing], types: [])
        let run = Run(plan, #"{"full_name":"x","fullName":7,"fullName":8}"#)
        #expect(run.faults.count == 2)
        #expect(run.faults.allSatisfy { $0.expected == "no key by the name of a renamed one" })
    }

    /// Each is declared and comes once.
    @Test func namesMayBeExchanged() throws {
        let type = TypeExpression.fields(.init("a", .int, from: "b"), .init("b", .string, from: "a"))
        try expect(try Plan("", type), #"{"a":"x","b":1}"#, #"{"b":"x","a":1}"#)
    }

    @Test(arguments: [
        (#"{"name":"fig","size":1,"color":"red"}"#, #"{"name":"fig","size":1,"color":"red","ripe":true}"#),
        (#"{"name":"fig","size":1,"color":"red" }"#, #"{"name":"fig","size":1,"color":"red" ,"ripe":true}"#),
        (
            #"{"ripe":false,"name":"fig","size":1,"color":"red"}"#,
            #"{"ripe":false,"name":"fig","size":1,"color":"red"}"#
        ),
    ])
    func defaultsPutIn(_ document: String, _ slice: String) throws {
        try expect(try Plan("", Self.fruit), document, slice)
        try expect(try Plan("", .array(Self.fruit)), "[\(document),\(document)]", "[\(slice),\(slice)]")
    }

    @Test(arguments: [
        ("{}", #"{"a":1,"b":[]}"#),
        (#"{"b":0}"#, #"{"b":0,"a":1}"#),
        (#"{"x":0}"#, #"{"a":1,"b":[]}"#),
        (#"{"x":0, "a":5 , "y":0 }"#, #"{"a":5 ,"b":[]}"#),
    ])
    func defaultsWhereKeysAreDropped(_ document: String, _ slice: String) throws {
        let type = TypeExpression.fields(
            .init("a", .scalar(.json), default: "1"), .init("b", .scalar(.json), default: "[]"))
        try expect(try Plan("", type, unknown: .drop), document, slice)
    }

    private func expect(_ plan: Plan, _ document: String, _ slice: String) throws {
        let run = Run(plan, document)
        #expect(run.faults == [])
        #expect(run.slices == [slice])
        #expect(Run.deviations(plan, Array(document.utf8)) == [])
    }
}
