import Testing

@testable import SluiceConfig

/// Names of a page in Swift.
@Suite struct SwiftNameTests {
    @Test(arguments: [
        ("full-name", "fullName"), ("Name", "name"), ("2fa", "_2fa"), ("sha256", "sha256"), ("a b_c", "aB_c"),
        ("self", "selfValue"), ("-", "value"), ("ä", "value"),
    ])
    func properties(_ text: String, _ name: String) {
        #expect(SwiftName.property(text) == name)
    }

    @Test(arguments: [("fruit list", "FruitList"), ("1st thing", "_1stThing"), ("thing1", "Thing1"), ("", "Value")])
    func types(_ text: String, _ name: String) {
        #expect(SwiftName.type(text) == name)
    }

    @Test func differentKeysHaveDifferentNames() {
        #expect(SwiftName.properties(["a-b", "a b", "a.b", "c"]) == ["aB", "aB2", "aB3", "c"])
        #expect(SwiftName.unused(["A", "B"], beside: ["A"]) == "B")
        #expect(SwiftName.unused(["A", "B"], beside: ["A", "B", "B2"]) == "B3")
        #expect(SwiftName.escaped("case") == "`case`" && SwiftName.escaped("cases") == "cases")
    }
}
