import SluiceContract
import TestBytes
import Testing

@testable import SluiceHTTP

/// Each limit: what just fits is read, one byte or field more is refused, however it is cut.
@Suite struct HTTP1LimitsTests {
    private static let limits: HTTP1Limits = {
        var limits = Limits()
        limits.requestLineBytes = 40
        limits.headerBytes = 60
        limits.headerCount = 3
        limits.trailerBytes = 30
        limits.chunkExtensionBytes = 10
        limits.interimCount = 2
        return HTTP1Limits(limits)
    }()

    private static func head(line: Int = 16, fields: [String] = []) -> String {
        let target = "/" + String(repeating: "a", count: line - 16)
        return "GET \(target) HTTP/1.1\r\n" + (["Host: a"] + fields).map { $0 + "\r\n" }.joined() + "\r\n"
    }

    private static func chunked(_ content: String) -> String {
        head(fields: ["Transfer-Encoding: chunked"]) + content
    }

    static let cases: [(String, Int?)] = [
        (head(line: 40), nil),
        (head(line: 41), 414),
        (head(line: 400), 414),
        (String(repeating: "A", count: 400), 501),
        (head(fields: ["X: 1", "Y: 2"]), nil),
        (head(fields: ["X: 1", "Y: 2", "Z: 3"]), 431),
        // "Host: a" and the empty line take 11 bytes.
        (head(fields: ["X: " + String(repeating: "x", count: 44)]), nil),
        (head(fields: ["X: " + String(repeating: "x", count: 45)]), 431),
        (head(fields: [String(repeating: "x", count: 400)]), 431),
        (chunked("0\r\nA: " + String(repeating: "x", count: 23) + "\r\n\r\n"), nil),
        (chunked("0\r\nA: " + String(repeating: "x", count: 24) + "\r\n\r\n"), 431),
        (chunked("0\r\nA: 1\r\nB: 2\r\nC: 3\r\nD: 4\r\n\r\n"), 431),
        (chunked("0;abcdefgh\r\n\r\n"), nil),
        (chunked("0;abcdefghij\r\n\r\n"), 400),
        (chunked("0;" + String(repeating: "x", count: 400)), 400),
        // Extensions that add up beyond the data they come with.
        (chunked(String(repeating: "1;abcde\r\nx\r\n", count: 2) + "0\r\n\r\n"), nil),
        (chunked(String(repeating: "1;abcde\r\nx\r\n", count: 3) + "0\r\n\r\n"), 400),
        (chunked(String(repeating: "6;abcde\r\nxxxxxx\r\n", count: 9) + "0\r\n\r\n"), nil),
    ]

    @Test(arguments: cases)
    func holds(_ input: String, _ status: Int?) {
        let whole = ServerTranscript(input, limits: Self.limits)
        #expect(whole.refusal?.kind.status == status, "\(whole)")
        for pieces in Cuts.all(Array(input.utf8)) {
            #expect(ServerTranscript(pieces, limits: Self.limits) == whole, "in \(pieces.count) pieces")
        }
    }

    @Test(arguments: [(2, false), (3, true)])
    func interimResponses(_ count: Int, _ isMalformed: Bool) {
        let input = String(repeating: "HTTP/1.1 103 Early Hints\r\n\r\n", count: count) + "HTTP/1.1 204 N\r\n\r\n"
        for pieces in Cuts.all(Array(input.utf8)) {
            #expect(ClientTranscript(pieces, limits: Self.limits).isMalformed == isMalformed)
        }
    }
}
