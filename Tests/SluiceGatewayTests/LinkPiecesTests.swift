import Testing

@testable import SluiceGateway

@Suite struct LinkPiecesTests {
    private static func pieces(_ field: String) -> [(kind: LinkPieces.Kind, text: String)] {
        Array(field.utf8).withUnsafeBytes { bytes in
            var pieces = LinkPieces(bytes)
            var found: [(LinkPieces.Kind, String)] = []
            while let (kind, bytes) = pieces.next() { found.append((kind, String(decoding: bytes, as: UTF8.self))) }
            return found
        }
    }

    @Test func tellsThemApart() {
        let pieces = Self.pieces(#"<a,b>; t="c,\"<d>",e, <f"#)
        #expect(pieces.map(\.text) == ["<a,b>", "; t=", #""c,\"<d>""#, ",", "e", ",", " ", "<f"])
        #expect(pieces.map(\.kind) == [.target, .other, .quoted, .comma, .other, .comma, .other, .other])
    }

    /// It hides nothing of what follows, and a quote behind it begins no string.
    @Test func aStringIsClosedOrNone() {
        let pieces = Self.pieces(#"<a>; t="b\", <c>; t=\""#)
        #expect(pieces.filter { $0.kind == .target }.map(\.text) == ["<a>", "<c>"])
        #expect(pieces.allSatisfy { $0.kind != .quoted })
    }

    /// The end of each is looked for once, however many begin.
    @Test func targetsThatNeverEndAreCharacters() {
        let pieces = Self.pieces("<a>" + String(repeating: "<", count: 32 << 10))
        #expect(pieces.filter { $0.kind == .target }.map(\.text) == ["<a>"])
        #expect(pieces.map(\.text.utf8.count).reduce(0, +) == 3 + (32 << 10))
    }

    /// Wherever it is cut.
    @Test func nothingIsLost() {
        let field = #"<a,b>; t="c,\\\"<d>";x, <f>,<>,"",g"#
        for end in field.indices { #expect(Self.pieces(String(field[..<end])).map(\.text).joined() == field[..<end]) }
    }
}
