import SluiceContract
import Testing

@testable import SluiceHTTP

/// `Content-Encoding` (RFC 9110 §8.4).
@Suite struct CodingStackTests {
    static func read(_ values: [String], atMost most: Int = 2) -> CodingStack.Reading {
        var block = HeaderBlock()
        for value in values { Array(value.utf8).withUnsafeBytes { block.append(.contentEncoding, value: $0) } }
        return CodingStack.read(block, atMost: most)
    }

    @Test(
        arguments: [
            ([], .plain), ([""], .plain), (["identity"], .plain), ([" , ,"], .plain),
            (["gzip"], .coded(CodingStack(.gzip))), (["GZip"], .coded(CodingStack(.gzip))),
            (["x-gzip"], .coded(CodingStack(.gzip))), (["br"], .coded(CodingStack(.brotli))),
            (["deflate, zstd"], .coded(CodingStack(.deflate, .zstd))),
            (["deflate", "zstd"], .coded(CodingStack(.deflate, .zstd))),
            (["identity, gzip"], .coded(CodingStack(.gzip))),
            (["compress"], .unknown("compress")), (["gzip, aws-chunked"], .unknown("aws-chunked")),
            (["gzip;q=1"], .unknown("gzip;q=1")), (["gzip, br, gzip"], .tooMany),
        ] as [([String], CodingStack.Reading)])
    func theCodingsAreRead(_ values: [String], _ reading: CodingStack.Reading) {
        #expect(Self.read(values) == reading)
    }

    @Test func theStackIsBounded() {
        #expect(Self.read([Array(repeating: "gzip", count: 9).joined(separator: ",")], atMost: 100) == .tooMany)
        let most = Self.read([Array(repeating: "br", count: 8).joined(separator: ",")], atMost: 100)
        guard case .coded(let stack) = most else { return #expect(Bool(false), "\(most)") }
        #expect(stack.description == "br, br, br, br, br, br, br, br")
    }
}
