import Testing

@testable import SluiceConfig

/// Names in `parts:` and what nothing is bound to are told whatever else is wrong, unless they follow from that.
@Suite struct PartNamesCheckTests {
    private static let slip = "GET /w: {to: fruit /w, vlue: Int}"
    private static let unknownKey = "unknown key 'vlue' → value"

    private static func mistakes(_ bindings: String, root: String = "") -> [String] {
        let user = "GET /users/{id}: {to: 'fruit /users/{id}', params: {id: Int}, value: {name: String}}"
        return fruit("\(user)\n\(bindings)", root: root).mistakes
    }

    private static let besideOthers: [(String, [String])] = [
        ("GET /u: {parts: {a: GET /nope}}\n\(slip)", ["nothing is bound to GET /nope", unknownKey]),
        ("GET /u: {parts: {a: GET /nope}, vlue: Int}", ["nothing is bound to GET /nope", unknownKey]),
        ("GET /u: {parts: {a: 'GET /users/{zid}'}}\n\(slip)", ["'zid' is no part and no parameter", unknownKey]),
        (
            "GET /u: {parts: {a: GET /users/1}, value: {n: String from a.name, m: String from b}}\n\(slip)",
            ["'m' leads nowhere: there is no 'b'", unknownKey]
        ),
        (
            "GET /a: {parts: {b: GET /b}}\nGET /b: {parts: {a: GET /a}}\nGET /u: {parts: {c: GET /nope}}",
            ["the binding is made of itself: GET /a → GET /b → GET /a", "nothing is bound to GET /nope"]
        ),
        (
            "GET /a: {parts: {b: GET /a, c: GET /nope}}",
            ["the binding is made of itself: GET /a → GET /a", "nothing is bound to GET /nope"]
        ),
        (
            "GET /u: {parts: {a: 'GET /users/{b.id}', b: 'GET /users/{a.id}', c: 'GET /users/{zid}'}}",
            ["the parts wait for each other: a → b → a", "'zid' is no part and no parameter"]
        ),
        (
            "GET /u: {parts: {a: GET /users/1}, value: {n: Int from a.x, m: String from b, o: String from a.name}}",
            ["'n' leads nowhere: there is no 'x'", "'m' leads nowhere: there is no 'b'"]
        ),
        (
            "GET /u: {parts: {a: GET /nope}, value: {n: Int from a.x, m: String from b}}",
            ["nothing is bound to GET /nope", "'m' leads nowhere: there is no 'b'"]
        ),
        (
            "POST /u: {body: {n: Int}, parts: {a: {from: POST /nope, body: request}}}",
            ["nothing is bound to POST /nope"]
        ),
        (
            "GET /u: {parts: {a: 'GET /users/{id}'}}\nGET /x: {to: fruit /x, value: Int, fixture: {value: a}}",
            ["'id' is no part and no parameter → add params: {id: Int}", "the fixture is not of its type"]
        ),
    ]

    @Test(arguments: besideOthers)
    func areToldBesideOtherMistakes(_ bindings: String, _ messages: [String]) {
        let mistakes = Self.mistakes(bindings)
        #expect(mistakes.count == messages.count, "\(mistakes)")
        for message in messages { #expect(mistakes.contains { $0.contains(message) }, "\(mistakes)") }
    }

    /// What is asked may be the binding that could not be read, and the name that of a parameter.
    @Test(arguments: [
        ("GET /u: {parts: {a: GET /x}}\nGTE /x: {to: fruit /x}", "", "'GTE' is no method"),
        ("GET /u: {parts: {a: GET /x}}\nGET x: {to: fruit /x}", "", "'x' is no path"),
        ("GET /u: {parts: {a: GET /x}}\nGET /x: [1]", "", "a list where a mapping is wanted"),
        ("GET /u: {parts: {a: GET /x}}", "include: more.yaml", "cannot be read"),
        ("GET /u: {params: {id: 'Int('}, parts: {a: 'GET /users/{id}'}}", "", "is no type"),
        ("GET /u: {use: g, parts: {a: 'GET /users/{id}'}}", "groups: {g: {id: 'Int('}}", "is no type"),
    ])
    func whatFollowsFromAMistakeIsNotTold(_ bindings: String, _ root: String, _ message: String) {
        let mistakes = Self.mistakes(bindings, root: root)
        #expect(mistakes.count == 1 && mistakes.first?.contains(message) == true, "\(mistakes)")
    }
}
