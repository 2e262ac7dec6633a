import Testing

@testable import SluiceGateway

@Suite struct LinkFieldTests {
    @Test(
        arguments: [
            (#"<https://x/v1/a?fields=id,name&page=2>; rel="next""#, "https://x/v1/a?fields=id,name&page=2"),
            (#"<a>; title="x, <b>; rel=next"; rel=prev, <c>; rel=next"#, "c"),
            (#"<a>; rel="prev" , <b> ;rel="last next""#, "b"), ("<a;b,c>;rel=next", "a;b,c"),
            (#"<a>; title="\", <b>; rel=prev"; rel=next"#, "a"), (",, \t<a>; rel=next,", "a"), ("<>; rel=next", ""),
            ("<a>; rel=prev; rev=next", nil), ("a; rel=next, <b>; rel=prev", nil), ("x <a>; rel=next", nil),
            (#"<a>; title="x, <b>; rel=next"#, "b"),
            (#"<a>; rel=prev; t="\", <b>; t="\"; rel=prev, <c>; rel=next"#, "c"),
            (#"<a>; title="x\"#, nil), ("<a; rel=next", nil), ("<a>", nil), ("<a>, rel=next", nil), ("", nil),
        ] as [(String, String?)])
    func findsTheNextPage(field: String, target: String?) {
        let found = Array(field.utf8).withUnsafeBytes { LinkField.target(of: "next", in: $0) }
        #expect(found.map { String(decoding: $0, as: UTF8.self) } == target)
    }
}
