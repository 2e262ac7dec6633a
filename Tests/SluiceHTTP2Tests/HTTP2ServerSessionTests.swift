import HTTP2Wire
import SluiceContract
import SluiceHTTP
import Testing

@testable import SluiceHTTP2

/// Requests as a session tells of them, however the input is cut; and what it makes of those that are malformed.
@Suite struct HTTP2ServerSessionTests {
    typealias Wire = HTTP2Wire

    /// Two requests with content and trailers between, in frames of every legal shape.
    static let conversation: [UInt8] =
        Wire.preface
        + Wire.request(1, "GET", "/a?b=c", [("accept", "*/*"), ("cookie", "a=1"), ("cookie", "b=2")])
        + Wire.request(3, "POST", "/form", [("content-length", "5"), ("te", "trailers")], end: false)
        + Wire.data(3, "he")
        // Padded content, an unknown frame, and a field section in three frames between.
        + Wire.frame(0, flags: Wire.Flag.padded, stream: 3, [3] + Array("ll".utf8) + [0, 0, 0])
        + Wire.frame(0xbb, flags: 0xff, stream: 9, [1, 2, 3])
        + split(5, Wire.section(Wire.control("GET", "/split") + [("x-long", String(repeating: "x", count: 200))]))
        + Wire.data(3, "o")
        + Wire.headers(3, [("x-sum", "42"), ("age", "9")])
        + Wire.ping()

    private static func split(_ stream: Int, _ section: [UInt8]) -> [UInt8] {
        Wire.frame(1, flags: Wire.Flag.endStream, stream: stream, Array(section[..<10]))
            + Wire.frame(9, stream: stream, Array(section[10..<100]))
            + Wire.frame(9, flags: Wire.Flag.endHeaders, stream: stream, Array(section[100...]))
    }

    static let events = [
        "1 GET /a?b=c localhost none accept:*/* cookie:a=1; b=2", "1 end",
        "3 POST /form localhost length(5) content-length:5 te:trailers", "3 body hell",
        "5 GET /split localhost none x-long:" + String(repeating: "x", count: 200), "5 end", "3 body o",
        "3 end x-sum:42",
    ]

    @Test func requestsComeAsTheyAre() {
        let script = SessionScript()
        script.play(Self.conversation)
        #expect(script.log == Self.events)
        #expect(script.reader.settingsAcks == 1)
        #expect(script.reader.pingAcks == 1)
        #expect(script.reader.goaways.isEmpty)
        // RFC 9113 §6.5.2: MAX_CONCURRENT_STREAMS, INITIAL_WINDOW_SIZE, MAX_HEADER_LIST_SIZE; RFC 9218 §2.1.
        #expect(script.reader.settings == [3: 128, 4: 65_536, 6: 32_768, 9: 1])
    }

    @Test func everyCutGivesTheSame() {
        for cut in 1..<Self.conversation.count {
            let script = SessionScript()
            script.play(Self.conversation, cutAt: cut)
            #expect(script.log == Self.events, "cut at \(cut)")
        }
        let script = SessionScript()
        for byte in Self.conversation { script.play([byte]) }
        #expect(script.log == Self.events)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var clause: String
        var fields: [[String]]
        /// nil: RST_STREAM with PROTOCOL_ERROR.
        var kind: Problem.Kind?
        var end = true

        init(_ clause: String, _ kind: Problem.Kind? = nil, end: Bool = true, fields: [[String]]) {
            self.clause = clause
            self.kind = kind
            self.fields = fields
            self.end = end
        }

        /// Behind the control data of a GET.
        init(_ clause: String, _ kind: Problem.Kind? = nil, with fields: [String]...) {
            self.init(clause, kind, fields: Self.get() + fields)
        }

        static func get(
            method: String = "GET", scheme: String = "http", authority: String = "localhost", path: String = "/"
        ) -> [[String]] {
            [[":method", method], [":scheme", scheme], [":authority", authority], [":path", path]]
        }

        var testDescription: String { "\(clause) \(fields)".prefix(150).description }
    }

    static let malformed: [Row] = [
        Row("§8.2", with: ["X-Upper", "1"]),
        Row("§8.2.1", with: ["x y", "1"]),
        Row("§8.2.1", with: ["", "1"]),
        Row("§8.2.1", with: ["x", "a\r\nb: c"]),
        Row("§8.2.1", with: ["x", "a\nb"]),
        Row("§8.2.1", with: ["x", "a\0b"]),
        Row("§8.2.1", with: ["x", " a"]),
        Row("§8.2.1", with: ["x", "a\t"]),
        Row("§8.2.2", with: ["connection", "close"]),
        Row("§8.2.2", with: ["keep-alive", "1"]),
        Row("§8.2.2", with: ["proxy-connection", "close"]),
        Row("§8.2.2", with: ["transfer-encoding", "chunked"]),
        Row("§8.2.2", with: ["upgrade", "websocket"]),
        Row("§8.2.2", with: ["te", "trailers, deflate"]),
        Row("§8.3", with: [":path", "/"]),
        Row("§8.3", with: [":status", "200"]),
        Row("§8.3", with: [":odd", "1"]),
        Row("§8.3", fields: [[":method", "GET"], ["x", "1"], [":scheme", "http"], [":path", "/"]]),
        Row("§8.3.1", fields: [[":method", "GET"], [":scheme", "http"], [":authority", "a"]]),
        Row("§8.3.1", fields: [[":scheme", "http"], [":authority", "a"], [":path", "/"]]),
        Row("§8.3.1", fields: [[":method", "GET"], [":authority", "a"], [":path", "/"]]),
        Row("§8.3.1", fields: Row.get(path: "")),
        Row("§8.3.1", fields: Row.get(method: "GET", path: "*")),
        Row("§8.3.1", fields: Row.get(path: "http://localhost/")),
        Row("§8.3.1", fields: Row.get(path: "/a b")),
        Row("§8.3.1", .badRequest, fields: Row.get(path: "/a#b")),
        Row("§8.3.1", .badRequest, fields: Row.get(path: "/%zz")),
        Row("§8.3.1", .badRequest, fields: Row.get(scheme: "ftp")),
        Row("§8.3.1", .badRequest, fields: Row.get(authority: "user@localhost")),
        Row("§8.3.1", .badRequest, fields: Row.get(authority: "localhost:99999")),
        Row("§8.3.1", .badRequest, with: ["host", "elsewhere"]),
        Row("RFC 9110 §7.2", with: ["host", "localhost"], ["host", "localhost"]),
        Row("§8.3.1", fields: [[":method", "GET"], [":scheme", "http"], [":path", "/"]]),
        Row("RFC 9110 §9.1", fields: Row.get(method: "G T")),
        Row("RFC 9110 §9.1", .unknownMethod, fields: Row.get(method: String(repeating: "M", count: 33))),
        Row("RFC 9110 §10.1.1", .expectationFailed, with: ["expect", "wonders"]),
        Row("§8.1.1", with: ["content-length", "3"]),
        Row("RFC 9110 §8.6", with: ["content-length", "+3"]),
        Row("RFC 9110 §9.3.8", .badRequest, end: false, fields: Row.get(method: "TRACE")),
        Row("§8.5", .badRequest, fields: [[":method", "CONNECT"], [":authority", "localhost"]]),
        Row(
            "§8.5",
            fields: [[":method", "CONNECT"], [":scheme", "http"], [":authority", "localhost:1"], [":path", "/"]]),
        Row("RFC 9110 §4.1", .uriTooLong, fields: Row.get(path: "/" + String(repeating: "x", count: 16_384))),
        Row(
            "RFC 6585 §5", .fieldsTooLarge, with: ["x", String(repeating: "x", count: 16_000)],
            ["y", String(repeating: "y", count: 16_000)], ["z", String(repeating: "z", count: 16_800)]),
        Row("RFC 6585 §5", .fieldsTooLarge, fields: Row.get() + (0..<101).map { ["x-\($0)", "1"] }),
    ]

    @Test(arguments: malformed)
    func malformedRequestsAreNotServed(_ row: Row) {
        let script = SessionScript()
        let section = Wire.section(row.fields.map { ($0[0], $0[1]) })
        var bytes = Wire.preface
        var rest = section[...]
        let end = row.end ? Wire.Flag.endStream : 0
        let first = rest.prefix(16_000)
        rest = rest.dropFirst(first.count)
        bytes += Wire.frame(1, flags: end | (rest.isEmpty ? Wire.Flag.endHeaders : 0), stream: 1, Array(first))
        while !rest.isEmpty {
            let next = rest.prefix(16_000)
            rest = rest.dropFirst(next.count)
            bytes += Wire.frame(9, flags: rest.isEmpty ? Wire.Flag.endHeaders : 0, stream: 1, Array(next))
        }
        script.play(bytes + Wire.request(3))
        if let kind = row.kind {
            #expect(script.log.first == "1 refused \(kind)")
        } else {
            #expect(script.reader.answers[1]?.resetCode == 1)
            #expect(!script.log.contains { $0.hasPrefix("1 ") && $0 != "1 closed" })
        }
        // The connection is none the worse for it.
        #expect(script.log.contains { $0.hasPrefix("3 GET / localhost none") })
        #expect(script.reader.goaways.isEmpty)
    }

    /// RFC 9113 §8.1.1.
    @Test(arguments: [("3", "four"), ("5", "four")])
    func contentOfAnotherLengthIsMalformed(_ length: String, _ content: String) {
        let script = SessionScript()
        script.play(
            Wire.preface + Wire.request(1, "POST", "/", [("content-length", length)], end: false)
                + Wire.data(1, content, end: true))
        #expect(script.reader.answers[1]?.resetCode == 1)
        #expect(!script.log.contains("1 end"))
        #expect(script.log.last == "1 closed")
    }

    @Test func answersLeaveTogether() {
        let script = SessionScript()
        script.answer = { $0.respond(200, "text of \($1.id)", on: $1) }
        script.play(Wire.preface + (0..<20).flatMap { Wire.request($0 * 2 + 1) })
        #expect(script.reader.ended.count == 20)
        for stream in stride(from: 1, to: 40, by: 2) {
            let answer = script.reader.answers[stream]
            #expect(answer?.status == 200)
            #expect(answer?.text == "text of \(stream)")
            #expect(answer?["content-length"] == "\("text of \(stream)".utf8.count)")
        }
        #expect(script.session.open.isEmpty)
    }

    /// RFC 9113 §8.1: an answer before the request's end, then RST_STREAM without an error; content on its way is none.
    @Test func anEarlyAnswerStopsTheRequest() {
        let script = SessionScript()
        script.answer = { $0.respond(413, on: $1) }
        script.play(Wire.preface + Wire.request(1, "POST", "/", end: false))
        #expect(script.reader.answers[1]?.isComplete == true)
        #expect(script.reader.answers[1]?.resetCode == 0)
        script.play(Wire.data(1, "still on its way", end: true) + Wire.request(3))
        #expect(script.reader.goaways.isEmpty)
        #expect(script.reader.answers[3]?.status == 413)
    }

    /// RFC 9113 §5.2: an answer waits for the window, byte by byte if need be; its neighbours do not.
    @Test func windowsHoldAnswersBack() {
        let script = SessionScript()
        script.answer = { $0.respond(200, String(repeating: "x", count: 100), on: $1) }
        script.play(Wire.magic + Wire.settings([4: 10]) + Wire.request(1) + Wire.request(3))
        #expect(script.reader.answers[1]?.body.count == 10)
        #expect(script.reader.answers[3]?.body.count == 10)
        for _ in 0..<50 { script.play(Wire.windowUpdate(1, 1)) }
        #expect(script.reader.answers[1]?.body.count == 60)
        #expect(script.reader.answers[3]?.body.count == 10)
        script.play(Wire.windowUpdate(3, 90))
        #expect(script.reader.answers[3]?.isComplete == true)
        script.play(Wire.reset(1))
        #expect(script.log.last == "1 closed")
    }

    /// Content pays for the updates that let it out, unless the client takes it by crumbs: those are its own choice.
    @Test(arguments: [(256, true), (255, false)])
    func crumbsPayForNoWindowUpdates(window: Int, isFine: Bool) {
        var limits = Limits()
        limits.http2ControlFrames = 3
        let script = SessionScript(limits)
        script.answer = { $0.respond(200, String(repeating: "x", count: 10_000), on: $1) }
        script.play(Wire.magic + Wire.settings([4: window]) + Wire.request(1))
        for _ in 0..<20 where script.session.fault == nil { script.play(Wire.windowUpdate(1, window)) }
        #expect((script.session.fault == nil) == isFine)
        if isFine { #expect(script.reader.answers[1]?.body.count == 21 * window) }
    }

    /// Nobody would ever send it.
    @Test func contentForAClosedStreamIsNotKept() throws {
        let script = SessionScript()
        script.play(Wire.preface + Wire.request(1))
        let stream = try #require(script.streams[1])
        script.session.submitAnswer(
            status: 200, HeaderBlock(), and: HeaderBlock(), contentLength: nil, hasContent: true, on: stream)
        script.write()
        script.play(Wire.reset(1))
        #expect(script.log.last == "1 closed")
        Array("late".utf8).withUnsafeBytes { script.session.submitContent($0, isBorrowed: false, on: stream) }
        #expect(script.session.pendingBytes == 0)
    }

    @Test func contentThatIsNotTakenOpensNoWindow() {
        let script = SessionScript()
        script.takesContent = false
        script.play(Wire.preface + Wire.request(1, "POST", "/", end: false))
        for _ in 0..<4 { script.play(Wire.data(1, String(repeating: "x", count: 16_000))) }
        #expect(script.reader.windows[1] == nil)
        if let stream = script.streams[1] { script.session.taken(64_000, of: stream) }
        script.write()
        #expect(script.reader.windows[1] == 64_000)
    }

    @Test func trailersFollowTheAnswer() {
        let script = SessionScript()
        script.answer = { session, stream in
            session.submitAnswer(
                status: 200, HeaderBlock(), and: HeaderBlock(), contentLength: nil, hasContent: true, on: stream)
            Array("body".utf8).withUnsafeBytes { session.submitContent($0, isBorrowed: false, on: stream) }
            var trailers = HeaderBlock()
            trailers.append(.etag, "\"x\"")
            session.submitEnd(trailers: trailers, on: stream)
        }
        script.play(Wire.preface + Wire.request(1))
        #expect(script.reader.answers[1]?.text == "body")
        #expect(script.reader.answers[1]?.trailers.map(\.name) == ["etag"])
        #expect(script.reader.answers[1]?.isComplete == true)
    }

    /// RFC 9218: what is urgent goes first, whatever was asked for first.
    @Test func priorityDecidesWhatGoesFirst() {
        let script = SessionScript()
        script.answer = { $0.respond(200, String(repeating: "x", count: 1000), on: $1) }
        script.play(
            Wire.preface + Wire.request(1, "GET", "/", [("priority", "u=7")])
                + Wire.request(3, "GET", "/", [("priority", "u=3")])
                + Wire.request(5, "GET", "/", [("priority", "u=0")]))
        #expect(script.reader.ended == [5, 3, 1])
    }
}
