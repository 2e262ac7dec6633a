import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct ParameterSectionTests {
    /// DESIGN §7: into the path, else the query for GET, HEAD, DELETE and bindings with a body, else the JSON body.
    @Test func secretsAreFixed() throws {
        let page = fruit(
            """
            GET /a: {to: fruit /a, params: {q: Int, key: {fixed: {env: KEY}, as: k}}}
            POST /b:
              to: fruit /b
              params: {q: Int, key: {fixed: {env: KEY}, in: body}, n: {fixed: 1, type: Int, in: body}}
            POST /c: {to: fruit /c, body: {form: {a: Int}}, params: {mode: {fixed: x, in: body}}}
            POST /d: {to: fruit /d, body: {a: Int, "*": reject}, params: {mode: {fixed: x, in: body}}}
            """
        ).yaml
        let configuration = Bench(page, environment: ["KEY": "s3cret"]).configuration()
        let key = try #require(configuration.bindings[0].parameters.last)
        #expect(key.source == .env("KEY") && key.isFixed && key.location == .query && key.isSensitive)
        #expect(configuration.bindings[1].parameters.filter(\.isBodyMember).map(\.name) == ["key", "n"])
        let text = Explain.yaml(configuration)
        #expect(!text.contains("s3cret"))
        let again = Bench(text, environment: ["KEY": "s3cret"]).configuration()
        for (one, other) in zip(again.bindings, configuration.bindings) {
            #expect(one == other, "\(text)")
        }
    }

    @Test(arguments: [
        ("POST /a: {to: fruit /a, body: json, params: {k: {fixed: x, in: body}}}", "'k' cannot be added to a body"),
        (
            "POST /a: {to: fruit /a, body: {a: Int}, params: {k: {fixed: x, in: body}}}",
            "a client could send 'k' beside"
        ),
        (
            "POST /a: {to: fruit /a, unknown: drop, body: {a: Int}, params: {k: {as: a, fixed: x, in: body}}}",
            "the body has 'a' already"
        ),
        (
            "POST /a: {to: fruit /a, body: {form: {k: Int}}, params: {k: {fixed: x, in: body}}}",
            "the form has 'k' already"
        ),
        ("POST /a: {to: fruit /a, body: text, params: {k: {fixed: x, in: body}}}", "'k' has no body to stand in"),
        ("GET /a: {to: fruit /a, params: {k: {fixed: x, in: body}}}", "GET has no body"),
        (
            "POST /a: {to: fruit /a, unknown-params: pass, params: {k: {fixed: x, in: body}}}",
            "a client could send 'k' beside"
        ),
        ("GET /a: {to: fruit /a, params: {k: {fixed: {env: KEY}, type: Int}}}", "a secret is a text"),
        ("GET /a: {to: fruit /a, params: {k: {fixed: {env: NOWHERE}}}}", "the environment has no variable 'NOWHERE'"),
    ])
    func refusesMembers(_ binding: String, _ message: String) {
        let mistakes = Bench(fruit(binding).yaml, environment: ["KEY": "k"]).load().mistakes
        #expect(mistakes.contains { $0.message.contains(message) }, "\(mistakes)")
    }

    @Test(arguments: [
        ("GET /a: {to: fruit /a, params: {x: Int}}", Parameter.Location.query),
        ("HEAD /a: {to: fruit /a, params: {x: Int}}", .query),
        ("DELETE /a: {to: fruit /a, params: {x: Int}}", .query),
        ("ANY /a: {to: fruit /a, params: {x: Int}}", .query),
        ("OPTIONS /a: {to: fruit /a, params: {x: Int}}", .query),
        ("GET|POST /a: {to: fruit /a, params: {x: Int}}", .query),
        ("POST /a: {to: fruit /a, params: {x: Int}}", .body), ("PUT /a: {to: fruit /a, params: {x: Int}}", .body),
        ("PATCH /a: {to: fruit /a, params: {x: Int}}", .body),
        ("PUT|PATCH /a: {to: fruit /a, params: {x: Int}}", .body),
        ("POST /a: {to: fruit /a, body: json, params: {x: Int}}", .query),
        ("POST /a: {to: fruit /a, body: none, params: {x: Int}}", .query),
        ("POST /a/{x}: {to: 'fruit /{x}', params: {x: Int}}", .path),
        ("GET /a: {to: 'fruit /{x}', params: {x: Int}}", .query),
        ("GET /a: {to: fruit /a, params: {x: {type: Int, in: header}}}", .header),
        ("GET /a: {to: fruit /a, params: {x: {type: Int, in: cookie}}}", .cookie),
        ("POST /a: {to: fruit /a, params: {x: {type: Int, in: query}}}", .query),
        ("DELETE /a: {to: fruit /a, params: {x: {type: Int, in: body}}}", .body),
    ])
    func goesWhereItBelongs(_ binding: String, _ location: Parameter.Location) {
        #expect(fruit(binding).configuration().bindings.first?.parameters.first?.location == location)
    }

    @Test func readsTheLongForm() {
        let bench = fruit(
            """
            GET /a:
              to: fruit /a
              params:
                a: {type: [String], as: b, style: brackets, default: [x, y]}
                c: {type: Int?, null: literal}
                d: {type: Color = red}
                e: {type: [Int], optional: true, style: comma, as: e}
            """, types: "Color: red | green")
        #expect(
            bench.configuration().bindings.first?.parameters == [
                Parameter(
                    name: "a", location: .query, type: .array(.scalar(.string)), defaultJSON: "[\"x\",\"y\"]",
                    upstreamName: "b", style: .brackets),
                Parameter(name: "c", location: .query, type: .optional(.scalar(.int)), null: .literal),
                Parameter(name: "d", location: .query, type: .named("Color"), defaultJSON: "\"red\""),
                Parameter(name: "e", location: .query, type: .optional(.array(.scalar(.int))), style: .comma),
            ])
    }

    /// A value where a type belongs, of a parameter that sounds like a secret: no message repeats it.
    @Test(arguments: [
        "8812345", "'8812345'", "{type: 8812345}", "8812345?", "sk_8812345", "Sk-8812345/x",
        "SK8812345", "c2_8812345==", "8812345 = x", "Int8812345", "[x8812345]", "{type: [8812345]}",
    ])
    func valuesAreNotShown(type: String) {
        let loaded = fruit("GET /a: {to: fruit /a, params: {api-key: \(type)}}").load()
        #expect(!(loaded.mistakes + loaded.warnings).isEmpty)
        for finding in loaded.mistakes + loaded.warnings {
            let all = [finding.message, finding.hint, finding.excerpt].compactMap(\.self).joined(separator: "\n")
            #expect(!all.contains("8812345"), "\(all)")
        }
    }

    /// Types are no secrets, nor are what other languages call them.
    @Test(arguments: [
        ("integer", "'integer' is a set of one string", "a type, several strings, or '\"integer\"' for this one alone"),
        ("[str]", "'str' is a set of one string", "a type, several strings, or '\"str\"' for this one alone"),
        ("Int = wrong", "the default is not of its type: the text 'REDACTED'", "a value of type Int"),
    ])
    func typesAreShown(type: String, message: String, expected: String) {
        let loaded = fruit("GET /a: {to: fruit /a, params: {api-key: \(type)}}", types: "Color: red | green").load()
        #expect(loaded.mistakes.map(\.message) == [message])
        #expect(loaded.mistakes.map(\.expected) == [expected])
    }

    /// What no client can set goes into the query, or into a path upstream, whatever the method.
    @Test func readsFixedValues() {
        let bench = fruit(
            """
            POST /a:
              to: fruit /bot{key}/a
              params:
                key: {fixed: s3cret}
                limit: {type: Int, fixed: 10}
                x: {as: y, fixed: [a, b], type: [String], style: comma}
            """)
        let configuration = bench.configuration()
        #expect(
            configuration.bindings.first?.parameters == [
                Parameter(
                    name: "key", location: .query, type: .scalar(.string), defaultJSON: "\"s3cret\"", isFixed: true),
                Parameter(name: "limit", location: .query, type: .scalar(.int), defaultJSON: "10", isFixed: true),
                Parameter(
                    name: "x", location: .query, type: .array(.scalar(.string)), defaultJSON: "[\"a\",\"b\"]",
                    isFixed: true, upstreamName: "y", style: .comma),
            ])
        let text = Explain.yaml(configuration)
        #expect(!text.contains("s3cret") && text.contains("fixed: REDACTED"))
        #expect(
            Bench(text).configuration().bindings.first?.parameters.dropFirst()
                == configuration.bindings.first?.parameters.dropFirst())
    }

    @Test(arguments: [
        ("x: {fixed: a, in: header}", "2:35: a fixed value cannot stand in a header → write it under 'headers:'"),
        ("x: {fixed: a, default: b}", "2:39: a fixed value needs no default"),
        ("x: {fixed: a, type: Int}", "2:46: the default is not of its type: the text 'a'"),
        (
            "x: {fixed: '${KEY}'}",
            "2:46: variables such as '${KEY}' are not filled in → secrets alone may come from one: {env: KEY}"
        ),
        ("x: {in: query}", "2:38: a value of type {in: \"query\"} cannot stand in a query"),
    ])
    func refusesFixedValues(_ parameter: String, _ mistake: String) {
        let all = fruit("GET /a: {to: fruit /a, params: {\(parameter)}}").mistakes
        #expect(all.contains(mistake), "\(all)")
    }

    /// No message repeats what a parameter with a telling name holds.
    @Test(arguments: [
        "api_key: Strin = s3cret", "api_key: Int = s3cret", "token: 'Strin = [s3cret'",
        "key: {type: Int, default: s3cret}",
        "key: {fixed: s3cret, type: Int}", "k: {as: api_key, type: Int, default: s3cret}",
        "key: {type: Int, fixed: [s3cret]}",
    ])
    func hidesSecrets(_ parameter: String) {
        let loaded = fruit("GET /a:\n  to: fruit /a\n  params:\n    \(parameter)").load()
        #expect(!loaded.mistakes.isEmpty)
        for mistake in loaded.mistakes { #expect(!"\(mistake) \(mistake.excerpt ?? "")".contains("s3cret")) }
    }

    /// YAML 1.1 has plans for all of these.
    @Test func namesAreTexts() {
        let bench = fruit("GET /a: {to: fruit /a, params: {no: Int, on: Int?, 12: Int, null: Int, y: [Int]}}")
        #expect(bench.configuration().bindings.first?.parameters.map(\.name) == ["no", "on", "12", "null", "y"])
    }

    @Test(arguments: [
        ("x: Fruit", "2:38: a value of type Fruit cannot stand in a query"),
        ("x: JSON", "2:38: a value of type JSON cannot stand in a query"),
        ("x: '[[Int]]'", "2:38: a value of type [[Int]] cannot stand in a query"),
        ("x: String | null", "2:38: a value of type String | null cannot stand in a query"),
        ("x: {a: Int}", "2:38: a value of type {a: Int} cannot stand in a query"),
        ("x: {type: Int, in: qurey}", "2:54: the text 'qurey' is not known here → query"),
        ("x: {type: Int, inn: query, as: y}", "2:50: unknown key 'inn' → in"),
        ("x: {type: Int, style: comma}", "2:50: 'style' is for lists"),
        ("x: {type: Int, null: empty}", "2:50: 'null' is for optionals"),
        ("x: {type: Int = 1, default: 2}", "2:63: the default stands twice"),
        ("x: {type: Int, in: path}", "2:35: path parameter 'x' has no place"),
        ("x: {type: Int, in: body}", "2:35: GET has no body"),
        ("x: Int, y: {type: Int, as: x}", "2:43: parameter 'x' is sent twice, first declared in line 2"),
        (
            "x: {type: Int, in: header}, X: {type: Int, in: header}",
            "2:63: parameter 'X' is sent twice, first declared in line 2"
        ),
        ("'x?': Int", "2:35: parameter 'x?' has a '?' behind its name → write x: Int?"),
        ("'x?': hunter", "2:35: parameter 'x?' has a '?' behind its name → write x: T?"),
        ("'x?': {type: Int}", "2:35: parameter 'x?' has a '?' behind its name → write x: T?"),
        ("x: Int, x: Int", "2:43: key 'x' stands twice, first in line 2"),
        ("host: {type: String, in: header}", "2:35: field 'host' cannot be set here → use 'host:' of the upstream"),
        ("x: {type: Int, in: header, as: TE}", "2:35: field 'TE' cannot be set here → it belongs to one hop"),
        ("'a b': {type: Int, in: header}", "2:35: 'a b' is no field name"),
        ("'a;b': {type: Int, in: cookie}", "2:35: 'a;b' is no cookie name"),
        ("x: ", "2:38: a type is missing"), ("x: Int?? ", "2:42: 'Int??' is no type: the type is optional already"),
    ])
    func refuses(_ text: String, _ mistake: String) {
        let bench = fruit("GET /a: {to: fruit /a, params: {\(text)}}", types: "Fruit: {a: Int}")
        #expect(bench.mistakes == [mistake])
    }

    @Test(arguments: [
        ("{x: Int = 1}", "2:48: a part of the path is always there"),
        ("{x: Int?}", "2:48: a part of the path is always there"),
        ("{x: [Int]}", "2:48: a value of type [Int] cannot stand in a path"),
        ("{x: {type: Int, in: query}}", "2:45: '{x}' stands in the path"),
    ])
    func refusesInPaths(_ params: String, _ mistake: String) {
        #expect(fruit("GET /a/{x}: {to: 'fruit /a/{x}', params: \(params)}").mistakes.contains(mistake))
    }

    @Test func aBodyHasRoomForEverything() {
        let bench = fruit(
            "POST /a: {to: fruit /a, params: {x: Fruit, y: JSON, z: Fruit | null}}", types: "Fruit: {a: Int}")
        #expect(bench.mistakes == [])
        #expect(
            fruit("POST /a: {to: fruit /a, body: json, params: {x: {type: Int, in: body}}}").mistakes
                == ["2:48: parameter 'x' would make a second body"])
    }

    /// JSON has a null, and nothing that is empty.
    @Test func nothingIsEmptyInABody() {
        func warnings(_ method: String, _ null: String) -> [String] {
            fruit("\(method) /a: {to: fruit /a, params: {x: {type: Int?, null: \(null)}}}").warnings
        }
        #expect(warnings("GET", "empty") == [] && warnings("POST", "literal") == [])
        let told = warnings("POST", "empty")
        #expect(told.count == 1 && told[0].hasSuffix("'null: empty' has no meaning in a JSON body"), "\(told)")
    }
}

extension ParameterSectionTests {
    @Test func groupsAreShared() throws {
        let bench = fruit(
            """
            GET /a: {to: fruit /a, use: paging}
            GET /b: {to: fruit /b, use: [paging, other], params: {limit: Int = 50, own: Int}}
            """,
            root: "groups: {paging: {limit: Int = 10, after: {type: String?, as: t}}, other: {after: Int, x: Bool}}")
        let configuration = bench.configuration()
        #expect(bench.warnings == [])
        #expect(configuration.bindings[0].parameters.map(\.name) == ["limit", "after"])
        #expect(configuration.bindings[0].parameters[1].upstreamName == "t")
        let second = configuration.bindings[1].parameters
        #expect(second.map(\.name) == ["limit", "after", "x", "own"])
        #expect(second[0].defaultJSON == "50" && second[1].type == .scalar(.int))
        #expect(Bench(Explain.yaml(configuration)).configuration() == configuration)
    }

    @Test(arguments: [
        ("use: pagin", "there is no group 'pagin' → paging"),
        ("use: {a: Int}", "a mapping where a group's name is wanted"),
        ("use: [paging, ~]", "nothing where a group's name is wanted"),
    ])
    func refusesGroups(_ text: String, _ message: String) {
        let mistakes = fruit("GET /a: {to: fruit /a, \(text)}", root: "groups: {paging: {limit: Int}}").mistakes
        #expect(mistakes.count == 1 && mistakes[0].hasSuffix(message), "\(mistakes)")
    }

    /// A mistake in a group is told once and where it stands, however many bindings use it.
    @Test func mistakesInGroupsAreToldOnce() {
        let bench = fruit(
            "GET /a: {to: fruit /a, use: g}\nGET /b: {to: fruit /b, use: g}", root: "groups: {g: {limit: 'Int |'}}")
        #expect(bench.mistakes.count == 1 && bench.mistakes[0].hasPrefix("1:"), "\(bench.mistakes)")
        let unused = fruit("GET /a: {to: fruit /a}", root: "groups: {g: {limit: Int}}")
        #expect(unused.warnings == ["1:10: group 'g' is not used by any binding"])
    }
}
