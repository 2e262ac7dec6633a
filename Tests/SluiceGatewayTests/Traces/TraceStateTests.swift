import SluiceHTTP
import Testing

@testable import SluiceGateway

/// `tracestate`, by the clauses of W3C Trace Context Level 2.
@Suite struct TraceStateTests {
    private static func read(_ values: [String]) -> TraceState? {
        var fields = HeaderBlock()
        for value in values { Array(value.utf8).withUnsafeBytes { fields.append(.tracestate, value: $0) } }
        return TraceState(fields)
    }

    private static func many(_ count: Int) -> String { (1...count).map { "k\($0)=\($0)" }.joined(separator: ",") }

    @Test(
        arguments: [
            // §3.3.1: several fields are one list; empty members and blanks around members mean nothing.
            (["a=1,b=2", "c=3"], "a=1,b=2,c=3"), (["a=1\t ,  b=2 , ,c=3,"], "a=1,b=2,c=3"), (["", "a=1", ""], "a=1"),
            ([""], ""),
            // §3.3.1.3.1: a key begins with a letter or a digit, and holds at signs anywhere after that.
            (["0a_-*/@b=x", "foo@@bar=1"], "0a_-*/@b=x,foo@@bar=1"), ([String(repeating: "z", count: 256) + "=1"], nil),
            // §3.3.1.3.2: blanks in front belong to a value.
            (["a= !\"#$%&'()*+-./:;<>?[]^`{|}~"], "a= !\"#$%&'()*+-./:;<>?[]^`{|}~"),
        ] as [([String], String?)])
    func reads(_ values: [String], _ text: String?) {
        let state = Self.read(values)
        #expect(state != nil)
        if let text { #expect(state?.text(upTo: 512) == text) }
    }

    @Test(arguments: [
        ["foo =1"], ["FOO=1"], ["foo.bar=1"], ["@foo=1,bar=2"], ["foo"], ["=1"], ["foo="], ["foo=bar=baz"],
        ["foo=,bar=3"],
        ["foo=1\u{7F}"], [String(repeating: "z", count: 257) + "=1"], ["a=" + String(repeating: "z", count: 257)],
        ["a=1", "B=2"],
    ])
    func refuses(_ values: [String]) { #expect(Self.read(values) == nil) }

    @Test func hasThirtyTwoMembersAtMost() {
        #expect(Self.read([Self.many(32)])?.members.count == 32)
        #expect(Self.read([Self.many(20), Self.many(12)])?.members.count == 32)
        #expect(Self.read([Self.many(33)]) == nil)
        #expect(Self.read([Self.many(20), Self.many(13)]) == nil)
    }

    /// §3.3.1.5: members of more than 128 characters go first, then those at the end.
    @Test func isCutInWholeMembers() {
        let long = "long=" + String(repeating: "x", count: 130)
        let state = Self.read(["a=1,\(long),b=2,c=3"])
        let whole = "a=1,\(long),b=2,c=3"
        #expect(state?.text(upTo: 512) == whole)
        #expect(state?.text(upTo: whole.utf8.count) == whole)
        #expect(state?.text(upTo: whole.utf8.count - 1) == "a=1,b=2,c=3")
        #expect(state?.text(upTo: 100) == "a=1,b=2,c=3")
        #expect(state?.text(upTo: 10) == "a=1,b=2")
        #expect(state?.text(upTo: 2) == "")
    }
}
