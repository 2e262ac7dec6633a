import Testing

@testable import SluiceConsole

/// Examples of parameters as they stand in requests.
@Suite struct ExampleTextTests {
    @Test(
        arguments: [
            ("3", ["3"]), ("\"a b\"", ["a b"]), ("true", ["true"]), ("null", []), ("[]", []), ("[1,2]", ["1", "2"]),
            (#"["a,b","c\"d", "e"]"#, ["a,b", "c\"d", "e"]), ("{\"a\":1}", nil), ("[[1],2]", nil), ("[{\"a\":1}]", nil),
            (#"["\\"]"#, ["\\"]), ("[\"\"]", [""]),
        ] as [(String, [String]?)])
    func readsValues(_ json: String, _ values: [String]?) {
        #expect(ExampleText.values(of: json) == values)
    }
}
