import Testing

@testable import SluiceGateway

/// A value of a part, as requests for others are made of it.
@Suite struct PartValueTests {
    private static func strings(_ list: [[UInt8]]) -> [String] { list.map { String(decoding: $0, as: UTF8.self) } }

    @Test(
        arguments: [
            ("", [], true), ("null", [], true), (" null\n", [], true), ("[]", [], true), ("[ \t\r\n]", [], true),
            ("7", ["7"], false), (#" "a,b" "#, [#""a,b""#], false), (#"{"a":[1,2]}"#, [#"{"a":[1,2]}"#], false),
            ("[1]", ["1"], true), ("\n[1, 2 ,\r\n3\t]", ["1", "2", "3"], true),
            (#"["a]","b,c","d\"],","e\\","f"]"#, [#""a]""#, #""b,c""#, #""d\"],""#, #""e\\""#, #""f""#], true),
            (#"[{"a":[1,"}"]},[[2,3],[]],null]"#, [#"{"a":[1,"}"]}"#, "[[2,3],[]]", "null"], true),
        ] as [(String, [String], Bool)])
    func elementsOfAnArrayAreTakenApart(_ json: String, _ items: [String], _ isList: Bool) {
        let value = PartValue(Array(json.utf8))
        #expect(Self.strings(value.items) == items)
        #expect(value.isList == isList)
    }

    @Test(
        arguments: [
            ("null", []), (#""a\n\u00e9""#, ["a\né"]), ("-1.50", ["-1.50"]), ("false", ["false"]),
            (#"["a",1.50,true,null,{"b":1},[2]]"#, ["a", "1.50", "true"]),
        ] as [(String, [String])])
    func whatIsNoTextIsLeftOut(_ json: String, _ texts: [String]) {
        #expect(Self.strings(PartValue(Array(json.utf8)).texts) == texts)
    }

    @Test func whatIsAbsentIsSentAsNull() {
        #expect(Self.strings([PartValue([]).body, PartValue(Array("[1]".utf8)).body]) == ["null", "[1]"])
    }
}
