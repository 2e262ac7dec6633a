import Testing

@testable import SluiceJSON

@Suite struct JSONDifferenceTests {
    private static func merge(_ old: String, _ new: String) -> JSONDifference {
        JSONDifference.mergePatch(from: Array(old.utf8), to: Array(new.utf8))
    }

    private static func patch(_ old: String, _ new: String) -> JSONDifference {
        JSONDifference.jsonPatch(from: Array(old.utf8), to: Array(new.utf8))
    }

    // MARK: - Tables

    @Test(arguments: [
        (#"{"a":1}"#, #"{"a":2}"#, #"{"a":2}"#), (#"{"a":1,"b":2}"#, #"{"b":2}"#, #"{"a":null}"#),
        (#"{"a":1}"#, #"{"a":1,"b":{"c":[]}}"#, #"{"b":{"c":[]}}"#),
        (#"{"a":{"b":1,"c":2},"d":3}"#, #"{"a":{"b":1,"c":4},"d":3}"#, #"{"a":{"c":4}}"#),
        // An array is one value, and what is null in it stays.
        (#"{"a":[1,2]}"#, #"{"a":[1,null]}"#, #"{"a":[1,null]}"#), ("[1]", "[2]", "[2]"),
        (#"{"a":1}"#, "7", "7"), ("7", #"{"a":1}"#, #"{"a":1}"#),
        (#"{"a":[1]}"#, #"{"a":{"b":1}}"#, #"{"a":{"b":1}}"#),
    ])
    func writesMergePatches(_ old: String, _ new: String, _ patch: String) {
        #expect(Self.merge(old, new) == .patch(Array(patch.utf8)))
    }

    /// RFC 7396 §1: it is not for documents that make use of null.
    @Test(arguments: [
        (#"{"a":1}"#, #"{"a":null}"#), (#"{}"#, #"{"a":null}"#), (#"{}"#, #"{"a":{"b":null}}"#),
        (#"{"a":1}"#, #"{"a":{"b":{"c":null}}}"#), ("1", #"{"a":null}"#),
    ])
    func saysWhereNoMergePatchDoes(_ old: String, _ new: String) {
        #expect(Self.merge(old, new) == .whole)
    }

    @Test(arguments: [
        (#"{"a":1}"#, #"{"a":2}"#, #"[{"op":"replace","path":"/a","value":2}]"#),
        (#"{"a":1,"b":2}"#, #"{"b":2}"#, #"[{"op":"remove","path":"/a"}]"#),
        (#"{"a":1}"#, #"{"a":null}"#, #"[{"op":"replace","path":"/a","value":null}]"#),
        (#"{}"#, #"{"a/b~c":1}"#, #"[{"op":"add","path":"/a~1b~0c","value":1}]"#),
        (#"{"a\"":1}"#, #"{"a\"":2}"#, #"[{"op":"replace","path":"/a\"","value":2}]"#),
        ("[1,2,3]", "[1,3]", #"[{"op":"remove","path":"/1"}]"#),
        ("[1,3]", "[1,2,3]", #"[{"op":"add","path":"/1","value":2}]"#),
        ("[1,2,3]", "[1,2,3,4]", #"[{"op":"add","path":"/3","value":4}]"#),
        ("[1,2,3,4]", "[1,9,4]", #"[{"op":"replace","path":"/1","value":9},{"op":"remove","path":"/2"}]"#),
        (#"[{"a":1}]"#, #"[{"a":2}]"#, #"[{"op":"replace","path":"/0/a","value":2}]"#),
        ("1", "2", #"[{"op":"replace","path":"","value":2}]"#),
    ])
    func writesJSONPatches(_ old: String, _ new: String, _ patch: String) {
        #expect(Self.patch(old, new) == .patch(Array(patch.utf8)))
    }

    @Test(arguments: [
        (#"{"a":1,"b":[2]}"#, #" { "b" : [ 2 ] , "a" : 1 } "#), (#""\u0041\/""#, #""A/""#), ("[]", "[ ]"),
    ])
    func spellingIsNoDifference(_ old: String, _ new: String) {
        #expect(Self.merge(old, new) == .none)
        #expect(Self.patch(old, new) == .none)
    }

    /// Nobody knows which of two members with one key is meant.
    @Test(arguments: [#"{"a":1,"a":2}"#, "{", "", #"[{"b":{"a":1,"a":1}}]"#])
    func whatCannotBeComparedIsToldWhole(_ text: String) {
        #expect(Self.merge(text, "1") == .whole)
        #expect(Self.patch("1", text) == .whole)
    }

    @Test func manyMembersInAnyOrder() {
        let members = (0..<300).map { "\"k\($0)\":\($0)" }
        let old = "{\(members.joined(separator: ","))}"
        let new = "{\((members.dropFirst().reversed() + [#""x":1"#]).joined(separator: ","))}"
        #expect(Self.merge(old, new) == .patch(Array(#"{"k0":null,"x":1}"#.utf8)))
        #expect(
            Self.patch(old, new)
                == .patch(Array(#"[{"op":"remove","path":"/k0"},{"op":"add","path":"/x","value":1}]"#.utf8)))
    }

    // MARK: - The oracle

    /// Values that resemble each other, so that much is left as it is.
    private static func value(_ depth: Int, _ random: inout Seeded) -> String {
        let keys = [#""a""#, #""b/c""#, #""d~""#, #""\u00e9\n""#, #""""#]
        switch Int.random(in: 0..<(depth > 0 ? 8 : 4), using: &random) {
        case 0: return "\(Int.random(in: 0...2, using: &random))"
        case 1: return [#""x""#, #""\"""#, "true"].randomElement(using: &random) ?? ""
        case 2: return Int.random(in: 0...3, using: &random) == 0 ? "null" : "1.50"
        case 3: return ["[]", "{}"].randomElement(using: &random) ?? ""
        case 4, 5:
            let count = Int.random(in: 0...4, using: &random)
            return "[" + (0..<count).map { _ in value(depth - 1, &random) }.joined(separator: ", ") + "]"
        default:
            let chosen = keys.shuffled(using: &random).prefix(Int.random(in: 0...keys.count, using: &random))
            return "{" + chosen.map { "\($0): \(value(depth - 1, &random))" }.joined(separator: ",") + "}"
        }
    }

    @Test(arguments: UInt64(0)..<40)
    func patchesMakeTheNewValueOfTheOld(_ seed: UInt64) throws {
        var random = Seeded(state: seed)
        var patches = 0
        for _ in 0..<100 {
            let (old, new) = (Self.value(4, &random), Self.value(4, &random))
            let (before, after) = (PatchedValue(old), PatchedValue(new))
            switch Self.merge(old, new) {
            case .none: #expect(before == after)
            case .patch(let patch):
                patches += 1
                #expect(before.merged(with: PatchedValue(patch)) == after, "\(old) → \(new)")
            case .whole: #expect(new.contains("null"), "\(old) → \(new)")
            }
            switch Self.patch(old, new) {
            case .none: #expect(before == after)
            case .patch(let patch): #expect(try before.patched(by: PatchedValue(patch)) == after, "\(old) → \(new)")
            case .whole: Issue.record("\(old) → \(new) has a JSON patch")
            }
        }
        #expect(patches > 30)
    }
}
