import Foundation
import SluiceJSON
import Testing

@Suite struct TextPatternTests {
    @Test(
        arguments: [
            ("^[a-z]+$", ["a", "abc"], ["", "A", "ab1", "a\n"]), ("b", ["abc", "b"], ["", "ac"]),
            ("^a|b$", ["ax", "xb", "a", "b"], ["xa", "bx", "ba "]), ("^$", [""], ["a"]), ("a*", ["", "b"], []),
            ("^(?:ab|c){2,3}$", ["abc", "cc", "ccc", "ababab"], ["c", "cccc", "abca"]),
            ("^a{2}$", ["aa"], ["a", "aaa"]),
            ("^a{2,}$", ["aa", "aaaaa"], ["a"]), ("^.$", ["x", "é", "🍎"], ["", "\n", "ab"]),
            ("^[^0-9é]+$", ["ab 🍎"], ["a1", "é"]), ("^\\d{4}-\\d\\d$", ["2024-05"], ["2024-5", "٢024-05"]),
            ("^[\\w.-]+@[\\w.-]+\\.[a-z]{2,}$", ["a.b@c-d.example"], ["a@b", "@b.cc", "a@b.c "]),
            ("^\\u00e9\\u{1F34E}$", ["é🍎"], ["e🍎"]), ("^[à-ý]+$", ["éè"], ["e", "ÿ"]),
            ("^\\[\\]\\\\$", ["[]\\"], ["[]"]),
            ("^(a|ab)(c|bcd)$", ["ac", "abc", "abcd"], ["ab", "abbcd "]), ("x?y+z*", ["y", "xyz"], ["x", "z"]),
            ("^\\s*$", ["", " \t\r\n"], ["x"]), ("^[-a]+[b-]$", ["-ab", "a-"], ["c", "b"]), ("a^b", [], ["ab", "a"]),
            ("(^|,)x(,|$)", ["x", "a,x", "x,b", "a,x,b"], ["ax", "xa"]),
        ] as [(String, [String], [String])])
    func matches(_ pattern: String, _ matching: [String], _ others: [String]) throws {
        let compiled = try TextPattern(pattern)
        for text in matching { #expect(compiled.matches(text), "\(pattern) \(text)") }
        for text in others { #expect(!compiled.matches(text), "\(pattern) \(text)") }
    }

    @Test(arguments: [
        ("(a", "a group is open"), ("a)", "')' closes nothing"), ("[a", "a class is open"),
        ("[]", "the class is empty"),
        ("*a", "'*' has nothing to repeat"), ("a**", "'*' stands behind another quantifier"),
        ("a+?", "'?' stands behind another quantifier"), ("^*", "'*' has nothing to repeat"),
        ("a{2", "'{' begins no count"), ("a{,2}", "'{' begins no count"), ("a{3,2}", "{3,2} is empty"),
        ("a{2000}", "{2000} repeats too often"), ("(?=a)", "'(?=' looks around, which one pass cannot"),
        ("(?<!a)", "'(?<' looks around, which one pass cannot"), ("(?<n>a)", "'(?' begins no group"),
        ("(a)\\1", "'\\1' refers back, which one pass cannot"), ("\\bx", "'\\b' matches no character"),
        ("\\q", "'\\q' is not known here"), ("\\p{L}", "'\\p' is not known here"),
        ("a\\", "'\\' stands alone at the end"),
        ("[z-a]", "a range of a class has no order"), ("[[:alpha:]]", "'[' stands in a class"),
        ("\\u12", "'\\u' names no character"), ("(a{1000}){1000}", "the pattern takes more than 2000 states"),
        ("[ab]*a[ab]{20}c", "the pattern takes more than 2000 states"),
    ])
    func refuses(_ pattern: String, _ message: String) {
        let error = #expect(throws: TextPattern.Malformed.self) { try TextPattern(pattern) }
        #expect(error?.message == message)
        #expect(error?.expected.isEmpty == false)
    }

    /// Random patterns of what both know, and random texts, against the regular expressions of Foundation.
    @Test(arguments: 0..<4) func matchesAsOthersDo(seed: UInt64) throws {
        var random = Seeded(state: seed)
        for _ in 0..<150 {
            let pattern = random.pattern(depth: 3)
            guard let compiled = try? TextPattern(pattern) else { continue }
            let other = try NSRegularExpression(pattern: pattern)
            for _ in 0..<20 {
                let letters = ["a", "b", "c", "é", "🍎", "\n"]
                let count = Int.random(in: 0...6, using: &random)
                let text = (0..<count).map { _ in letters.randomElement(using: &random) ?? "" }.joined()
                // There a $ also matches before a line's end that ends the text.
                if text.hasSuffix("\n") { continue }
                let range = NSRange(text.startIndex..., in: text)
                let isFound = other.firstMatch(in: text, range: range) != nil
                #expect(compiled.matches(text) == isFound, "\(pattern) \(text.debugDescription)")
            }
        }
    }
}

extension Seeded {
    fileprivate mutating func pattern(depth: Int) -> String {
        func pick(_ list: [String]) -> String { list.randomElement(using: &self) ?? "" }
        let atoms = ["a", "b", "c", "é", ".", "[ab]", "[^a]", "[b-é]", "🍎"]
        var text = ""
        for _ in 0..<Int.random(in: 1...3, using: &self) {
            var atom = pick(atoms)
            if depth > 0, Int.random(in: 0..<3, using: &self) == 0 { atom = "(\(pattern(depth: depth - 1)))" }
            text += atom + pick(["", "", "*", "+", "?", "{2}", "{1,2}", "{1,}"])
            if depth > 0, Int.random(in: 0..<6, using: &self) == 0 { text += "|" }
        }
        if Int.random(in: 0..<3, using: &self) == 0 { text = "^" + text }
        if Int.random(in: 0..<3, using: &self) == 0 { text += "$" }
        return text
    }
}
