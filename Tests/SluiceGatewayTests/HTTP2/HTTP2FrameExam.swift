import HTTP2Wire
import SluiceContract
import Testing

@testable import SluiceGateway

/// What a client may put on the wire, clause by clause, and what has to come of it: for the stream, for the connection,
/// and for the origin behind.
@Suite struct HTTP2FrameExam {
    typealias Wire = HTTP2Wire

    enum Outcome {
        /// The connection ends with one of these codes.
        case connection(Set<Int>)
        /// The stream is reset with one of these codes, and the connection goes on.
        case stream(Set<Int>)
        /// Answered here, and the connection goes on.
        case status(Int)
        /// Forwarded whole, and the connection goes on.
        case forwarded(line: String, sees: [String] = [], lacks: [String] = [], body: String = "")
        /// Nothing comes of it.
        case nothing

        static func forwarded(sees: [String] = [], lacks: [String] = [], body: String = "") -> Outcome {
            .forwarded(line: "GET /v1/a HTTP/1.1", sees: sees, lacks: lacks, body: body)
        }

        static func posted(sees: [String] = [], lacks: [String] = [], _ body: String) -> Outcome {
            .forwarded(line: "POST /v1/a HTTP/1.1", sees: sees, lacks: lacks, body: body)
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var clause: String
        var frames: [UInt8]
        var outcome: Outcome

        init(_ clause: String, _ frames: [UInt8]..., gives outcome: Outcome) {
            self.clause = clause
            self.frames = Array(frames.joined())
            self.outcome = outcome
        }

        /// `GET /raw/a` with the fields.
        init(_ clause: String, fields: (String, String)..., gives outcome: Outcome) {
            self.init(clause, Wire.request(1, "GET", "/raw/a", fields.map { ($0.0, $0.1) }), gives: outcome)
        }

        /// The fields as they stand.
        init(_ clause: String, section: (String, String)..., gives outcome: Outcome) {
            self.init(clause, Wire.headers(1, section.map { ($0.0, $0.1) }), gives: outcome)
        }

        var testDescription: String { clause }
    }

    static let malformed = Outcome.stream([1])
    static let method = (":method", "GET")
    static let scheme = (":scheme", "http")
    static let authority = (":authority", "localhost")
    static let path = (":path", "/raw/a")

    static let rows =
        controlData + authorities + paths + fieldRules + lengths + excess + trailers + forwarding + sections + frames
        + windows
        + settings + streams

    @Test func thereAreManyRows() { #expect(Self.rows.count >= 120) }

    @Test(arguments: rows, [1, 9, .max])
    func comesOut(_ row: Row, pieces: Int) throws {
        let bench = try Bench(Build.configuration([try Build.binding("ANY /raw/**", to: "fruit /**")]))
        let client = HTTP2Client(bench)
        client.send(row.frames, inPiecesOf: pieces)
        switch row.outcome {
        case .connection(let codes):
            #expect(codes.contains(client.goaway ?? -1), "\(client.goaway ?? -1) \(client.answer(1))")
            #expect(client.isEnded)
        case .stream(let codes):
            #expect(codes.contains(client.answer(1).resetCode ?? -1), "\(client.goaway ?? -1) \(client.answer(1))")
            for origin in bench.origins { #expect(origin.requests.allSatisfy { !$0.isComplete }) }
        case .status(let status):
            #expect(client.answer(1).status == status, "\(client.goaway ?? -1) \(client.answer(1))")
            #expect(client.answer(1).isComplete)
            #expect(bench.origins.isEmpty)
        case .forwarded(let line, let sees, let lacks, let body):
            try check(ForwardedRequestExam.Expectation(line: line, sees: sees, lacks: lacks, body: body), bench)
            try bench.origin().answer(200, body: "ok")
            #expect(client.answer(1).isComplete)
        case .nothing:
            #expect(client.answer(1).fields.isEmpty)
            #expect(client.answer(1).resetCode == nil)
        }
        if case .connection = row.outcome {
            #expect(bench.gateway.counters.connections == 0)
        } else {
            try expectAlive(client, bench)
            client.peer.reset()
        }
        bench.expectQuiet()
    }

    private func check(_ expected: ForwardedRequestExam.Expectation, _ bench: Bench) throws {
        let origin = try bench.origin()
        #expect(bench.origins.count == 1)
        #expect(origin.requests.count == 1)
        expected.check(try bench.forwarded(), origin)
    }

    /// The next request of the connection is served.
    private func expectAlive(_ client: HTTP2Client, _ bench: Bench) throws {
        #expect(!client.isEnded, "\(client.goaway ?? -1)")
        if client.isEnded { return }
        let before = client.reader.pingAcks
        client.send(
            Wire.ping(), Wire.windowUpdate(0, 1000), Wire.settings([4: 65_535]), Wire.request(99, "GET", "/raw/next"))
        #expect(client.reader.pingAcks == before + 1)
        try bench.origin().answer(200, body: "next")
        #expect(client.answer(99).text == "next")
    }
}
