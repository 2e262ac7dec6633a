import Testing

@testable import SluiceConsole

@Suite struct TerminalKeysTests {
    static let rows: [([String], [TerminalKey])] = [
        (["q"], [.character("q")]), (["\u{1B}[A\u{1B}[B"], [.up, .down]), (["\u{1B}OC", "\u{1B}OD"], [.right, .left]),
        (["\u{1B}[", "5~"], [.pageUp]), (["\u{1B}[6~\u{1B}[H\u{1B}[4~"], [.pageDown, .home, .end]),
        (["\u{1B}"], [.escape]), (["\u{1B}\u{1B}[A"], [.escape, .up]), (["\u{1B}q"], [.escape, .character("q")]),
        (["\r\n"], [.enter, .enter]), (["\u{7F}\u{8}"], [.backspace, .backspace]), (["\u{3}"], [.character("q")]),
        (["\u{1B}[1;5A\u{1B}[200~x"], [.character("x")]), (["é😀"], [.character("é"), .character("😀")]),
        (["\t\u{0}a"], [.character("a")]), (["\u{1B}[" + String(repeating: "1", count: 30), "A"], [.character("A")]),
    ]

    @Test(arguments: rows) func keysAreRead(_ reads: [String], _ expected: [TerminalKey]) {
        var keys = TerminalKeys()
        var found = reads.flatMap { keys.read(Array($0.utf8)) }
        // What is left of a sequence that is too long is plain text.
        found.removeAll { $0 == .character("1") }
        #expect(found == expected)
    }

    /// Cut between any two bytes, but behind an escape.
    @Test func cutsAreNoMatter() {
        let bytes = Array("a\u{1B}[5~é😀\u{1B}OAz".utf8)
        for cut in bytes.indices where cut == 0 || bytes[cut - 1] != 0x1b {
            var keys = TerminalKeys()
            let found = keys.read(Array(bytes[..<cut])) + keys.read(Array(bytes[cut...]))
            #expect(
                found == [.character("a"), .pageUp, .character("é"), .character("😀"), .up, .character("z")], "\(cut)")
        }
    }
}
