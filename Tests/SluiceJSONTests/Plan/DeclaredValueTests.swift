import SluiceContract
import Testing

@testable import SluiceJSON

/// Values that a configuration declares, in the form in which they go out.
@Suite struct DeclaredValueTests {
    private static let name = ObjectType(fields: [
        .init(name: "full_name", from: nil, type: .scalar(.string)),
        .init(name: "n", from: "count", type: .scalar(.int), defaultJSON: "3"),
        .init(name: "at", from: nil, type: .optional(.converted(.date(.seconds), .date(.iso8601)))),
    ])
    private static let types: [TypeDefinition] = [
        .init(name: "Name", type: .object(name)),
        .init(
            name: "Strict",
            type: .object(ObjectType(fields: [.init(name: "a", from: nil, type: .scalar(.int))], unknown: .reject))),
        .init(
            name: "Endless",
            type: .object(
                ObjectType(fields: [.init(name: "e", from: nil, type: .named("Endless"), defaultJSON: "{}")]))),
    ]

    private static func json(
        _ json: String, _ type: TypeExpression, _ direction: Extraction.Direction, keys: KeyStyle = .verbatim,
        unknown: UnknownKeys = .pass, names: DeclaredValue.Names = .either
    ) throws -> String {
        let value = DeclaredValue(
            NamedTypes(types), keys: keys, direction: direction, unknown: unknown, names: names)
        return try value.json(of: try #require(JSONNode(json)), type)
    }

    @Test(
        arguments: [
            (.verbatim, .fromUpstream, #"{"full_name":"x","at":null,"n":3}"#),
            (.verbatim, .toUpstream, #"{"full_name":"x","at":null,"count":3}"#),
            (.camelCase, .fromUpstream, #"{"fullName":"x","at":null,"n":3}"#),
            (.camelCase, .toUpstream, #"{"full_name":"x","at":null,"count":3}"#),
        ] as [(KeyStyle, Extraction.Direction, String)], ["full_name", "fullName"])
    func hasTheKeysOfItsDirection(
        _ way: (keys: KeyStyle, direction: Extraction.Direction, json: String), _ key: String
    ) throws {
        let json = #"{"\#(key)":"x","at":null}"#
        #expect(try Self.json(json, .named("Name"), way.direction, keys: way.keys) == way.json)
        // In lists, dictionaries and optionals, too.
        for (text, type, whole) in [
            ("[\(json)]", TypeExpression.array(.named("Name")), "[\(way.json)]"),
            ("{\"a_b\":\(json)}", .dictionary(.named("Name")), "{\"a_b\":\(way.json)}"),
            (json, .optional(.union([.named("Name"), .scalar(.int)])), way.json),
        ] {
            #expect(try Self.json(text, type, way.direction, keys: way.keys) == whole)
        }
    }

    @Test(
        arguments: [
            (#""2024-05-01""#, .date(.seconds), .date(.iso8601), "1714521600"),
            (#""1""#, .int, .string, "1"), ("7", .quoted(.int), .int, #""7""#),
        ] as [(String, Scalar, Scalar, String)])
    func isConvertedOnTheWayUp(_ json: String, _ from: Scalar, _ to: Scalar, _ upstream: String) throws {
        let type = TypeExpression.converted(from, to)
        #expect(try Self.json(json, type, .toUpstream) == upstream)
        #expect(try Self.json(json, type, .fromUpstream) == json)
    }

    /// Neither direction takes what no client could send, and no upstream could answer.
    @Test(
        arguments: [
            (#""kiwi""#, .converted(.int, .string), "the text 'kiwi', which is no Int for the upstream"),
            (#""1,\"x\":2""#, .converted(.int, .string), #"the text '1,"x":2', which is no Int for the upstream"#),
            (
                "1e15", .converted(.date(.iso8601), .date(.seconds)),
                "the text '1e15', which is no Date for the upstream"
            ),
            ("{}", .named("Name"), "it lacks 'full_name'"),
            (#"{"a":1,"b":2}"#, .named("Strict"), "there is no key 'b' in its type"),
            ("{}", .named("Endless"), "its defaults contain each other without end, or too often"),
            ("[1,1]", .constrained(.array(.scalar(.int)), Constraint(isUnique: true)), "a list with equal items"),
            (
                #"[{"a":1},{"a":1}]"#, .constrained(.array(.scalar(.json)), Constraint(isUnique: true)),
                "a list with equal items"
            ),
        ] as [(String, TypeExpression, String)], Extraction.Direction.allCases)
    func refuses(_ declared: (String, TypeExpression, found: String), _ direction: Extraction.Direction) throws {
        #expect {
            _ = try Self.json(declared.0, declared.1, direction)
        } throws: { ($0 as? DeclaredValue.Fault)?.found == declared.found }
    }

    @Test func differentObjectsAreUnique() throws {
        let type = TypeExpression.constrained(.array(.scalar(.json)), Constraint(isUnique: true))
        #expect(try Self.json(#"[{"a": 1}, {"a": 2}]"#, type, .fromUpstream) == #"[{"a":1},{"a":2}]"#)
    }

    /// Where the keys that clients see are known, no others count.
    @Test func onlyLocalNamesWhereTheyAreKnown() throws {
        #expect(throws: DeclaredValue.Fault.self) {
            try Self.json(#"{"full_name":"x"}"#, .named("Name"), .fromUpstream, keys: .camelCase, names: .local)
        }
        #expect(
            try Self.json(#"{"fullName":"x"}"#, .named("Name"), .fromUpstream, keys: .camelCase, names: .local)
                == #"{"fullName":"x","n":3}"#)
    }

    /// Alternatives that contain each other by their defaults are tried once, and not at every level.
    @Test(arguments: [
        ("One", [("One", "x", ".union", "{}"), ("Two", "y", ".union", "{}")]),
        ("One", [("One", "x", "[.union]", "[{}]"), ("Two", "y", "[.union]", "[{}]")]),
    ])
    func endlessAlternativesEnd(_ start: String, _ objects: [(name: String, key: String, form: String, json: String)])
        throws
    {
        let union = TypeExpression.union(objects.map { .named($0.name) })
        let definitions = objects.map { object in
            TypeDefinition(
                name: object.name,
                type: .object(
                    ObjectType(fields: [
                        .init(
                            name: object.key, type: object.form == ".union" ? union : .array(union),
                            defaultJSON: object.json)
                    ])))
        }
        let value = DeclaredValue(NamedTypes(definitions), keys: .verbatim, direction: .fromUpstream)
        #expect {
            _ = try value.json(of: .object([]), .named(start))
        } throws: { $0 is DeclaredValue.Fault }
    }

    /// An object is of the alternative that it would be of in a document, and not of the first that it fits.
    @Test func alternativesAreToldAsInDocuments() throws {
        func object(_ fields: ObjectType.Field...) -> TypeExpression { .object(ObjectType(fields: fields)) }
        let byKey = TypeExpression.union([
            object(.init(name: "note", from: "n", type: .optional(.scalar(.string)))),
            object(.init(name: "error", from: "err", type: .scalar(.string))),
        ])
        #expect(try Self.json(#"{"error":"boom"}"#, byKey, .toUpstream) == #"{"err":"boom"}"#)
        #expect(try Self.json(#"{"note":"a"}"#, byKey, .toUpstream) == #"{"n":"a"}"#)
        let byValue = TypeExpression.union([
            object(.init(name: "v", from: "vr", type: .optional(.scalar(.int)))),
            object(
                .init(name: "k", type: .literals(["a", "b"])), .init(name: "v", from: "va", type: .scalar(.int))),
            object(.init(name: "k", type: .literals(["c"])), .init(name: "v", from: "vc", type: .scalar(.int))),
        ])
        #expect(try Self.json(#"{"k":"a","v":1}"#, byValue, .toUpstream) == #"{"k":"a","va":1}"#)
        #expect(try Self.json(#"{"k":"c","v":1}"#, byValue, .toUpstream) == #"{"k":"c","vc":1}"#)
        #expect(try Self.json(#"{"v":1}"#, byValue, .toUpstream) == #"{"vr":1}"#)
        #expect(try Self.json("7", .union([byKey, .scalar(.int)]), .toUpstream) == "7")
    }

    /// Unions in unions are not tried in all combinations.
    @Test func nestedAlternativesAreFollowedOnce() throws {
        var type = TypeExpression.scalar(.int)
        var json = "1"
        for level in 0..<60 {
            type = .union(
                ["a", "b"].map { name in
                    .object(
                        ObjectType(fields: [
                            .init(name: "k\(name)\(level)", type: .scalar(.int)),
                            .init(name: "n", type: .optional(type)),
                        ]))
                })
            json = "{\"kb\(level)\":1,\"n\":\(json)}"
        }
        #expect(try Self.json(json, type, .toUpstream) == json)
    }

    /// A key that is not declared may be written beside the declared one of nearly the same name.
    @Test func exactNamesComeFirst() throws {
        let one = TypeExpression.object(ObjectType(fields: [.init(name: "html_url", type: .scalar(.string))]))
        let json = #"{"html_url":"a","htmlUrl":"b"}"#
        #expect(try Self.json(json, one, .toUpstream) == json)
        let two = TypeExpression.object(
            ObjectType(fields: [
                .init(name: "full_name", type: .scalar(.string)), .init(name: "fullName", type: .scalar(.int)),
            ]))
        #expect(
            try Self.json(#"{"fullName":1,"full_name":"a"}"#, two, .toUpstream) == #"{"fullName":1,"full_name":"a"}"#)
        // What would be there twice, here or there.
        for (json, keys) in [
            (#"{"full_name":"x","count":4}"#, KeyStyle.verbatim), (#"{"full_name":"x","fullName":"y"}"#, .camelCase),
        ] {
            for direction in Extraction.Direction.allCases {
                #expect(throws: DeclaredValue.Fault.self, "\(json)") {
                    try Self.json(json, .named("Name"), direction, keys: keys)
                }
            }
        }
    }

    /// The key that tells belongs to each alternative, declared or not.
    @Test(arguments: [UnknownKeys.pass, .drop, .reject], ["pay_type", "payType"])
    func theKeyOfAUnionIsAField(_ unknown: UnknownKeys, _ key: String) throws {
        let card = ObjectType(fields: [.init(name: "card_no", type: .scalar(.string))])
        let pay = TypeExpression.choice(
            ObjectChoice(key: "pay_type", alternatives: [.init(value: "card", type: .object(card))]))
        let json = #"{"\#(key)":"card","card_no":"1"}"#
        #expect(
            try Self.json(json, pay, .fromUpstream, keys: .camelCase, unknown: unknown)
                == #"{"payType":"card","cardNo":"1"}"#)
        #expect(
            try Self.json(json, pay, .toUpstream, keys: .camelCase, unknown: unknown)
                == #"{"pay_type":"card","card_no":"1"}"#)
    }

    /// A fault is told with its place.
    @Test func faultsHavePlaces() throws {
        do {
            _ = try Self.json(#"[{"full_name":"x"},{"full_name":7}]"#, .array(.named("Name")), .fromUpstream)
            Issue.record("it is refused")
        } catch let fault as DeclaredValue.Fault {
            #expect(fault.way == [.index(1), .key("full_name")])
        }
    }
}
