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
        #expect(query.variables.map(\.name) == variables)
        #expect(query.fault == nil)
    }

    /// Variables of a type of GraphQL's own have one here.
    @Test(
        arguments: [
            ("$a: Int!", "Int"), ("$a: Float", "Double?"), ("$a: ID!", "String"), ("$a:[Boolean!]!", "[Bool]"),
            ("$a: [String]", "'[String]?'"), ("$a: Color!", nil), ("$a", nil),
        ] as [(String, String?)])
    func variablesHaveTypes(_ declared: String, _ type: String?) {
        #expect(GraphQLText("query(\(declared)) { a }").variables == [.init(name: "a", type: type)])
    }

    @Test(arguments: [
        ("{ a", "a '{' is not closed"), ("{ a(b: [1) }", "a ')' closes nothing"), ("{ a } }", "a '}' closes nothing"),
        ("query", "the query asks for nothing"), ("{ a(b: \"}\") # }\n", "a '{' is not closed"),
    ])
    func bracketsFit(_ text: String, _ message: String) {
        #expect(GraphQLText(text).fault?.message == message)
    }
}
