import SluiceContract
import Testing

@testable import SluiceGateway

/// What becomes of an upstream's answer (`Fetch+Answer.swift`, `Judge.swift`).
@Suite struct FetchAnswerTests {
    /// One binding `GET /a`, and an origin's answer to it.
    static func answer(
        _ text: String, pieces: Int = .max, request: String = "GET", end: Bool = false,
        _ edit: (inout Binding) throws -> Void
    ) throws -> ClientPeer {
        let bench = try Bench(Build.configuration([try Build.binding("GET /a", to: "fruit /a", edit)]))
        let client = bench.client()
        client.request(request, "/a")
        let origin = try bench.origin()
        origin.send(text, inPiecesOf: pieces)
        if end { origin.endInput() }
        bench.expectQuiet()
        return client
    }

    static func chunked(_ chunks: String...) -> String {
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + chunks.map { String($0.utf8.count, radix: 16) + "\r\n" + $0 + "\r\n" }.joined() + "0\r\n\r\n"
    }

    /// A token that chunks cut is the engine's, and two chunks of one input feed the engine twice.
    @Test(arguments: [1, 7, 300, 1000, .max], [0, 600])
    func aTokenCutByChunksStaysWhole(pieces: Int, hold: Int) throws {
        let long = String(repeating: "0123456789", count: 100)
        let client = try Self.answer(
            Self.chunked(#"["\#(long)"#, #"\#(long)", "\#(long)"#, #"\#(long)", "\#(long)"#, #""]"#), pieces: pieces
        ) {
            $0.value = .array(.scalar(.string))
            $0.holdBytes = hold
        }
        #expect(client.answers.first?.text == #"["\#(long)\#(long)", "\#(long)\#(long)", "\#(long)"]"#)
        #expect(client.answers.first?.isComplete == true)
    }

    /// A head in two inputs: the second is carried, with the beginning of the body.
    @Test(arguments: 1..<60)
    func aBodyBehindACutHeadPassesThrough(cut: Int) throws {
        let body = String(repeating: "abcdefgh", count: 100)
        let text = "HTTP/1.1 200 OK\r\nContent-Length: 800\r\nX-Long: abcdefghij\r\n\r\n" + body
        let client = try Self.answer(text, pieces: cut) { _ in }
        #expect(client.answers.first?.text == body)
    }
}
