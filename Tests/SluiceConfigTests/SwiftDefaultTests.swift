import Testing

@testable import SluiceConfig

/// Defaults of fields in Swift.
@Suite struct SwiftDefaultTests {
    private static func source(_ type: String) -> String {
        let bench = fruit(
            "GET /a: {to: fruit /a, value: A}",
            types: "A: {x: \(type)}\nMood: happy | \"very sad\"\nSeed: {size: Int}\nMaybe: Int | null")
        return SwiftExport.source(bench.configuration(), from: "sluice.yaml")
    }

    /// A new value has the default, and so has one that is read where the key is not there.
    @Test(arguments: [
        ("'Int = 5'", "x = 5", "fields.decodeIfPresent(Int.self, forKey: .x) ?? 5"),
        ("'Double = 1.50'", "x: Double = 1.50", "fields.decodeIfPresent(Double.self, forKey: .x) ?? 1.50"),
        (#"'String = "a\"b"'"#, #"x = "a\"b""#, #"fields.decodeIfPresent(String.self, forKey: .x) ?? "a\"b""#),
        ("'[Int] = [1,2]'", "x: [Int] = [1, 2]", "fields.decodeIfPresent([Int].self, forKey: .x) ?? [1, 2]"),
        (#"'Mood = "very sad"'"#, "x: Mood = .verySad", "fields.decodeIfPresent(Mood.self, forKey: .x) ?? .verySad"),
        ("'red | … = blue'", #"x = "blue""#, #"fields.decodeIfPresent(String.self, forKey: .x) ?? "blue""#),
        (
            "{type: {'*': Int}, default: {b: 1}}", #"x: [String: Int] = ["b": 1]"#,
            #"fields.decodeIfPresent([String: Int].self, forKey: .x) ?? ["b": 1]"#
        ),
        // Null is a value there, and stays one.
        ("'Int? = -5'", "x: Int? = -5", "fields.contains(.x) ? fields.decodeIfPresent(Int.self, forKey: .x) : -5"),
        (
            "'Maybe = 5'", "x: Maybe = 5",
            "fields.contains(.x) ? fields.decodeIfPresent(Maybe.self, forKey: .x) ?? nil : 5"
        ),
        (
            "{type: JSON, default: {a: [1, null, 1.5, t]}}",
            #"x: JSONValue = .object(["a": .array([.integer(1), .null, .number(1.5), .text("t")])])"#,
            "fields.contains(.x) ? fields.decode(JSONValue.self, forKey: .x) : .object("
        ),
        (
            "'Int | String = 5'", "x: JSONValue = .integer(5)",
            "fields.contains(.x) ? fields.decode(JSONValue.self, forKey: .x) : .integer(5)"
        ),
    ])
    func defaultsAreLiterals(_ type: String, _ property: String, _ decoded: String) {
        let source = Self.source(type)
        #expect(source.contains("    var \(property)\n"), "\(source)")
        #expect(source.contains("        self.x = try \(decoded)"), "\(source)")
    }

    /// What cannot be written is nil, and the comment says so.
    @Test(arguments: [
        ("'Date = 2024-01-01'", "Date", #""2024-01-01""#), ("'Decimal = 1.10'", "Decimal", "1.10"),
        ("{type: Seed, default: {size: 1}}", "Seed", #"{"size":1}"#),
    ])
    func whatHasNoLiteralIsNil(_ type: String, _ written: String, _ json: String) {
        let source = Self.source(type)
        let lines = "    /// nil where the API leaves it out, which means \(json)\n    var x: \(written)?\n"
        #expect(source.contains(lines) && !source.contains("init(from"), "\(source)")
    }

    /// `.none` is nil in the place of an optional.
    @Test(arguments: ["none", "some"]) func casesOfOptionalAreNoLiterals(word: String) {
        let source = Self.source("'(all | \(word))? = \(word)'")
        #expect(source.contains("means \"\(word)\"\n") && !source.contains("= .\(word)"), "\(source)")
    }

    /// Null as a default is what an optional is anyway.
    @Test func nullNeedsNoDecodingOfItsOwn() {
        let source = Self.source("'Int? = null'")
        #expect(source.contains("    var x: Int?\n") && !source.contains("init(from"), "\(source)")
    }
}
