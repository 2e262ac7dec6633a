import Testing

@testable import SluiceRules

@Suite struct ConfigurationPathTests {
    @Test(
        arguments: [
            ([], ""), ([.key("limits"), .key("json-depth")], "limits.json-depth"),
            (
                [.key("bindings"), .key("GET /fruits"), .key("params"), .key("limit")],
                "bindings.\"GET /fruits\".params.limit"
            ),
            ([.key("listen"), .index(0), .key("tls")], "listen[0].tls"), ([.key("a\"b\\")], "\"a\\\"b\\\\\""),
            ([.key("types"), .key("T"), .key("*")], "types.T.*"), ([.key("")], "\"\""),
        ] as [([ConfigurationPath.Segment], String)])
    func describes(_ segments: [ConfigurationPath.Segment], _ text: String) {
        #expect(ConfigurationPath(segments).description == text)
    }

    /// A finding says where, what and what to do, and another place by its path.
    @Test func findingsSayWhere() {
        let path = ConfigurationPath() / "bindings" / "GET /a"
        let finding = Finding(
            .mistake, path, .key, "'GET /a' is bound already, in \(place: path)", expected: "one binding",
            suggestion: .didYouMean("GET /b"))
        #expect(
            finding.description
                == "bindings.\"GET /a\": 'GET /a' is bound already, in bindings.\"GET /a\"; expected one binding; "
                + "did you mean 'GET /b'?")
        #expect(finding.message.text { _ in "line 3" } == "'GET /a' is bound already, in line 3")
    }
}
