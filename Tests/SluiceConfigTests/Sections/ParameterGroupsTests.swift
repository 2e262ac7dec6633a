import SluiceContract
import Testing

@testable import SluiceConfig

/// Groups of parameters that belong to all bindings below a path.
@Suite struct ParameterGroupsTests {
    @Test func aPathHasParameters() {
        let bench = fruit(
            """
            GET /orgs/{org}: {to: 'fruit /o/{org}'}
            GET /orgs/{org}/repos/{repo}: {to: 'fruit /r/{org}/{repo}', use: paging, params: {sort: String}}
            GET /orgs/{org}/teams: {to: 'fruit /t/{org}', params: {org: 'String(2)'}}
            GET /orgs/{organisation}/x: {to: 'fruit /o/{organisation}', params: {organisation: Int}}
            GET /other: {to: fruit /x}
            """,
            root: """
                groups:
                  /orgs/{org}: {org: String(1...40), lang: String = en}
                  paging: {limit: Int = 10, lang: String = de}
                  /orgs/{org}/repos: {repo: 'String(/^[a-z]+$/)', lang: String = fr}
                """)
        let configuration = bench.configuration()
        func parameters(_ index: Int) -> [String] {
            configuration.bindings[index].parameters.map { "\($0.name): \($0.type) \($0.defaultJSON ?? "")" }
        }
        #expect(bench.warnings == [])
        #expect(parameters(0) == ["org: String(1...40) ", "lang: String \"en\""])
        #expect(
            parameters(1) == [
                "org: String(1...40) ", "lang: String \"de\"", "repo: String(/^[a-z]+$/) ", "limit: Int 10",
                "sort: String ",
            ])
        #expect(parameters(2) == ["org: String(2) ", "lang: String \"en\""])
        #expect(parameters(3) == ["organisation: Int "])
        #expect(parameters(4) == [])
        #expect(Bench(Explain.yaml(configuration)).configuration() == configuration)
    }

    @Test(arguments: [
        ("/a/{b: {b: Int}", "is no path"), ("/orgs/**: {b: Int}", "→ /orgs"), ("/x{}: {b: Int}", "is no path"),
    ])
    func refusesPaths(_ group: String, _ message: String) {
        let mistakes = fruit("GET /a: {to: fruit /a}", root: "groups:\n  \(group)").mistakes
        #expect(mistakes.contains { $0.contains(message) }, "\(mistakes)")
    }

    @Test func tellsOfAPathThatNoBindingHas() {
        let bench = fruit("GET /a: {to: fruit /a}", root: "groups: {/orgs: {b: Int}}")
        #expect(bench.warnings == ["1:10: no binding's path begins with '/orgs'"])
    }
}
