import SluiceContract
import SluiceJSON
import Testing

/// Parameters are text: checked by their type's grammar, and JSON only where a body wants it.
@Suite struct ScalarTextTests {
    @Test(
        arguments: [
            (TypeExpression.int, "12", "12"), (.int, "-0", "-0"), (.int, "007", nil), (.int, "+1", nil),
            (.int, "1.0", nil),
            (.int, "", nil), (.int, " 1", nil), (.int, "9223372036854775808", nil), (.scalar(.uint8), "256", nil),
            (.scalar(.uint8), "0", "0"), (.scalar(.uint8), "-0", nil), (.scalar(.uint64), "-0", nil),
            (.bool, "true", "true"), (.bool, "True", nil), (.bool, "1", nil),
            (.string, "", #""""#), (.string, "a\"b\n", #""a\"b\n""#), (.string, "12", #""12""#),
            (.scalar(.double), "1e3", "1e3"), (.scalar(.double), ".5", nil), (.scalar(.double), "Infinity", nil),
            (.scalar(.decimal), "0.10", "0.10"), (.scalar(.date(.seconds)), "170", "170"),
            (.scalar(.date(.iso8601)), "2024-02-30", nil), (.scalar(.date(.iso8601)), "2024-02-29", #""2024-02-29""#),
            (.literals(["asc", "desc"]), "asc", #""asc""#), (.literals(["asc", "desc"]), "as", nil),
            (.optional(.int), "5", "5"), (.union([.int, .string]), "5", "5"), (.union([.string, .int]), "5", #""5""#),
            (.union([.int, .literals(["all"])]), "all", #""all""#), (.named("Color"), "red", #""red""#),
        ] as [(TypeExpression, String, String?)])
    func text(_ type: TypeExpression, _ text: String, _ json: String?) throws {
        let types = [TypeDefinition(name: "Color", type: .literals(["red"]))]
        let scalar = try #require(try ScalarText(type, types: types))
        Array(text.utf8).withUnsafeBytes { bytes in
            #expect(scalar.accepts(bytes) == (json != nil))
            #expect(ScalarText.check(bytes, as: type, types: types) == (json != nil))
            var out: [UInt8] = []
            #expect(scalar.appendJSON(of: bytes, to: &out) == (json != nil))
            #expect(String(decoding: out, as: UTF8.self) == json ?? "")
        }
    }

    @Test func whatIsNoScalar() throws {
        #expect(try ScalarText(.array(.int)) == nil)
        #expect(try ScalarText(.fields()) == nil)
        #expect(throws: PlanError.unknownType("Lost")) { try ScalarText(.named("Lost")) }
    }

    @Test func textIsUTF8() throws {
        let scalar = try #require(try ScalarText(.string))
        for bytes in [[0xFF], [0xC3], [0xED, 0xA0, 0x80]] as [[UInt8]] {
            #expect(!bytes.withUnsafeBytes { scalar.accepts($0) })
        }
    }
}
