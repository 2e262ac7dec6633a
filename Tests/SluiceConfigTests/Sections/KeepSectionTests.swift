import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct KeepSectionTests {
    @Test func readsPaths() throws {
        let bench = fruit("POST /a: {to: fruit /a, keep: {bearer: a.token}}")
        let keep = try #require(bench.configuration().bindings.first?.keep)
        #expect(keep.bearer == FieldPath("a.token") && keep.expires == nil)
    }

    @Test func readsWhereTheEndStands() throws {
        let bench = fruit("POST /a: {to: fruit /a, keep: {bearer: a.token, expires: a.expires_in}}")
        let keep = bench.configuration().bindings.first?.keep
        #expect(keep?.expires == FieldPath("a.expires_in"))
        let many = fruit("POST /a: {to: fruit /a, keep: {bearer: a, expires: 'b.*.c'}}")
        #expect(many.mistakes.count == 1)
    }

    @Test(arguments: [
        ("value: {token: Int}", "token", "'token' is of type Int"),
        ("value: {token: {x: Int}}", "token", "'token' is an object"),
        ("value: {token: String}", "token.x", "'token' is of type String and has no 'x'"),
        ("value: [Int]", "token", "the value is an array, which has no keys"),
        ("value: {\"*\": Int}", "[0]", "the value is a dictionary, which has no indices"),
        ("value: {a: Int}", "[0]", "the value is an object, and '[0]' an index"),
        ("value: {a: Int}, unknown: reject", "token", "the value has no key 'token'"),
        ("parent: data.user, value: {a: Int}", "data", "'parent' goes on behind it, so an object stands there"),
        ("parent: data, value: String", "data.token", "the value is of type String and has no 'token'"),
        ("value: {a: red | green}", "a.b", "'a' is a string"),
    ])
    func refusesImpossiblePaths(_ value: String, _ path: String, _ reason: String) {
        let mistakes = fruit("POST /a: {to: fruit /a, \(value), keep: {bearer: '\(path)'}}").load().mistakes
        #expect(mistakes.map(\.message) == ["path '\(path)' is impossible: \(reason)"])
    }

    @Test(arguments: [
        ("keys: camelCase, unknown: reject, value: {accessToken: String}", "access_token"),
        ("value: {token: String}", "token"), ("value: {token: String?}", "token"), ("value: {a: Int}", "token"),
        ("value: JSON", "a.b"), ("value: {a: JSON}", "a.b"), ("value: {\"*\": String}", "token"),
        ("value: [{t: String}]", "0.t"), ("parent: data, value: {t: String}", "data.t"),
        ("parent: data, value: Int", "token"),
        ("value: {t: {type: String, from: token}}, unknown: reject", "token"), ("value: {a: red | green}", "a"),
    ])
    func acceptsPossiblePaths(_ value: String, _ path: String) {
        #expect(fruit("POST /a: {to: fruit /a, \(value), keep: {bearer: \(path)}}").mistakes == [])
    }

    /// One value is wanted, and nobody minds if it is missing.
    @Test(arguments: [
        ("a.*.b", "2:55: '*' in 'a.*.b' yields many values where one is wanted"),
        ("a.b?", "2:55: '?' in 'a.b?' says nothing here → a.b"),
    ])
    func refusesManyValues(_ path: String, _ mistake: String) {
        #expect(fruit("POST /a: {to: fruit /a, value: JSON, keep: {bearer: '\(path)'}}").mistakes == [mistake])
        let error = fruit("GET /a: {to: fruit /a}", upstream: "error: {message: '\(path)'}")
        #expect(error.mistakes.map { $0.drop { $0 != " " } } == [mistake.drop { $0 != " " }])
    }

    @Test func needsABearer() {
        #expect(fruit("POST /a: {to: fruit /a, keep: {}}").mistakes == ["2:33: key 'bearer' is missing"])
    }
}
