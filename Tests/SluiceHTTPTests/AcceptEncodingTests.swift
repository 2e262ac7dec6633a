import SluiceContract
import Testing

@testable import SluiceHTTP

/// RFC 9110 §12.5.3, with the weights of §12.4.2.
@Suite struct AcceptEncodingTests {
    static let ours: [ContentCoding] = [.zstd, .brotli, .gzip]

    static func fields(_ values: String...) -> AcceptEncoding {
        var block = HeaderBlock()
        for value in values { Array(value.utf8).withUnsafeBytes { block.append(.acceptEncoding, value: $0) } }
        return AcceptEncoding(block)
    }

    @Test(
        arguments: [
            // Nobody asks: none.
            ("", nil), ("identity", nil), ("compress", nil), ("identity, *;q=0", nil),
            // What is named is taken.
            ("gzip", .gzip), ("x-gzip", .gzip), ("GZIP", .gzip), ("br", .brotli), ("gzip, deflate, br, zstd", .zstd),
            ("compress, gzip", .gzip), ("deflate", nil),
            // Weights.
            ("gzip;q=1.0, br;q=0.5", .gzip), ("br;q=0.999, gzip;q=1.000", .gzip), ("zstd;q=0, gzip", .gzip),
            ("gzip;q=0.001", .gzip), ("gzip ; q=0.5", .gzip), ("gzip;Q=0.5, br;q=0.4", .gzip), ("gzip;q=1.", .gzip),
            // Not at all, or less than nothing done.
            ("gzip;q=0", nil), ("gzip;q=0.000", nil), ("gzip;q=0.5, identity", nil),
            ("gzip;q=0.5, identity;q=0.4", .gzip), ("gzip;q=0.5, identity;q=0.5", .gzip),
            // The rest of them.
            ("*", .zstd), ("*;q=0.5, gzip", .gzip), ("*, zstd;q=0", .brotli), ("*;q=0.5, identity", nil),
            ("*;q=0", nil), ("gzip, *;q=0", .gzip),
            // No qvalue: the element says nothing.
            ("gzip;q=2", nil), ("gzip;q=1.001", nil), ("gzip;q=0.0001", nil), ("gzip;q=-1", nil), ("gzip;q=", nil),
            ("gzip;q=.5", nil), ("gzip;level=9", nil), ("gzip;q=0,5", nil), ("gzip;q=00", nil), (";q=1", nil),
            ("gzip;q=2, br", .brotli), ("gzip;q=1;q=0", nil), ("gzip;q=a", nil),
        ] as [(String, ContentCoding?)])
    func theBestIsChosen(_ value: String, _ coding: ContentCoding?) {
        #expect(Self.fields(value).best(of: Self.ours, isWorthwhile: true) == coding)
    }

    /// A short answer is coded only for those who take nothing else.
    @Test(
        arguments: [
            ("gzip", nil), ("gzip, identity;q=0", .gzip), ("gzip, *;q=0", .gzip), ("identity;q=0", nil),
            ("compress, *;q=0", nil), ("br;q=0.1, gzip;q=0.2, identity;q=0.0", .gzip),
        ] as [(String, ContentCoding?)])
    func whatDoesNotPayIsLeft(_ value: String, _ coding: ContentCoding?) {
        #expect(Self.fields(value).best(of: Self.ours, isWorthwhile: false) == coding)
    }

    /// RFC 9110 §5.3: lines are one list.
    @Test func linesAreJoined() {
        #expect(Self.fields("gzip;q=0.5", "br").best(of: Self.ours, isWorthwhile: true) == .brotli)
        #expect(AcceptEncoding(HeaderBlock()).best(of: Self.ours, isWorthwhile: true) == nil)
        #expect(AcceptEncoding(HeaderBlock()).identityWeight > 0)
    }
}
