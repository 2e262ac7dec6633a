import Testing

@testable import SluiceRules

@Suite struct GraphQLTextTests {
    @Test(
        arguments: [
            ("{ a(b: 1) }", "query", []), ("query { a }", "query", []),
            ("query Q($a: Int!, $b: [String!] = []) { x(a: $a, b: $b) }", "query", ["a", "b"]),
            ("# $no\nmutation($a: A) { x(s: \"$no \\\" $no\", t: \"\"\"$no \" \"\"\", a: $a) }", "mutation", ["a"]),
            ("fragment F on T { a } query { ...F }", "query", []), ("subscription { a }", "subscription", []),
            ("select * from a", nil, []), ("", nil, []), ("  \n", nil, []),
        ] as [(String, String?, [String])])
    func isReadAsFarAsNeeded(text: String, operation: String?, variables: [String]) {
        let query = GraphQLText(text)
        #expect(query.operation == operation)
        #expect(query.variables == variables)
    }
}
