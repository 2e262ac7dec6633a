import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct BindingSectionTests {
    @Test(arguments: [
        ("GET /a/{x}", "GET /a/{y}"), ("GET|POST /a/{x}", "POST|PUT /a/{y}"), ("ANY /a/{x}", "ANY /a/{y}"),
        ("GET /a/v{x}", "GET /a/v{y}"),
    ])
    func refusesTwoBindingsOnOneRoute(_ one: String, _ other: String) {
        let mistakes = fruit(
            """
            \(one): {to: 'fruit /{x}', params: {x: Int}}
            \(other): {to: 'fruit /{y}', params: {y: Int}}
            """
        ).mistakes
        #expect(mistakes == ["3:3: '\(other)' is bound already, in line 2"])
    }

    @Test(arguments: [
        ("GET /a/{x}", "POST /a/{y}"), ("GET /a/{x}", "ANY /a/{y}"), ("GET /a/{x}", "GET /b/{y}"),
        ("GET /a/{x}", "GET /a/{y}/"), ("GET /a/{x}", "GET /a/v{y}"),
    ])
    func letsDifferentRoutesBe(_ one: String, _ other: String) {
        let mistakes = fruit(
            """
            \(one): {to: 'fruit /{x}', params: {x: Int}}
            \(other): {to: 'fruit /{y}', params: {y: Int}}
            """
        ).mistakes
        #expect(mistakes == [])
    }

    @Test func tellsKeysThatAreUnknownOrMissing() {
        #expect(
            fruit("GET /a: {too: fruit /a, valeu: Int}").mistakes == [
                "2:12: unknown key 'too' → to", "2:27: unknown key 'valeu' → value",
            ])
        #expect(fruit("GET /a: {value: Int}").mistakes == ["2:11: key 'to' is missing"])
    }

    @Test func warnsOfWhatIsNotUsed() {
        let bench = fruit("GET /a: {to: fruit /a}", types: "A: {b: B}\nB: Int")
        #expect(
            bench.warnings == [
                "7:3: type 'A' is not used by any binding", "8:3: type 'B' is not used by any binding",
            ])
        #expect(fruit("GET /a: {to: fruit /a, value: A}", types: "A: {b: B}\nB: Int").warnings == [])
    }

    /// What is right here and something else in other routers and languages.
    @Test(arguments: [
        ("GET /a/:id: {to: fruit /a}", ["2:7: ':id' stands for itself here → {id}"]),
        (
            "ANY /a/*: {to: fruit /a}",
            [
                "2:7: '*' stands for itself here → write {name} for one segment, '**' at the end for all that follows"
            ]
        ),
        (
            "GET /a: {to: fruit /a, value: data.items}",
            [
                "2:33: 'data.items' is no type, so only the text \"data.items\" is right here → write a key path under "
                    + "'parent:'; put the text in double quotes if it is meant"
            ]
        ),
        (
            "GET /a: {to: fruit /a, value: [circle]}",
            [
                "2:34: 'circle' is no type, so only the text \"circle\" is right here → put it in double quotes "
                    + "if it is meant"
            ]
        ),
        ("GET /a: {to: fruit /a, value: '\"circle\"'}", []), ("GET /a/b:c: {to: 'fruit /a:b'}", []),
        ("GET /a: {to: fruit /a, value: Int | auto}", []),
    ])
    func warnsOfWhatOthersReadDifferently(_ binding: String, _ warnings: [String]) {
        let bench = fruit(binding)
        #expect(bench.mistakes == [])
        #expect(bench.warnings == warnings)
    }

    /// What is explained is a file without warnings.
    @Test func aLoneStringIsExplainedInQuotes() {
        let bench = fruit("GET /a: {to: fruit /a, value: {a: '\"x\"', b: '\"y\" | null', c: 'Int | z', d: '\"w\"?'}}")
        #expect(bench.warnings == [])
        #expect(Bench(Explain.yaml(bench.configuration())).warnings == [])
    }
}
