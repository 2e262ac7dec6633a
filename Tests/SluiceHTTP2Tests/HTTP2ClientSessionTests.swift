import HTTP2Wire
import SluiceContract
import SluiceHTTP
import Testing

@testable import SluiceHTTP2

/// Responses as a session tells of them, however the input is cut; and what ends a stream, or the connection.
@Suite struct HTTP2ClientSessionTests {
    typealias Wire = HTTP2Wire

    /// Interim responses, content in frames of every legal shape, a section in three frames, trailers, a reset.
    static let conversation: [UInt8] =
        Wire.settings([3: 7])
        + Wire.headers(1, [(":status", "103"), ("link", "<a>")], end: false)
        + Wire.headers(1, [(":status", "103"), ("link", "<b>")], end: false)
        + Wire.headers(1, [(":status", "200"), ("set-cookie", "a=1"), ("set-cookie", "b=2")], end: false)
        + Wire.headers(3, [(":status", "204")])
        + Wire.frame(0, flags: Wire.Flag.padded, stream: 1, [3] + Array("he".utf8) + [0, 0, 0])
        + Wire.frame(0xbb, flags: 0xff, stream: 9, [1, 2, 3])
        + split(5, Wire.section([(":status", "404"), ("x-long", String(repeating: "x", count: 200))]))
        + Wire.data(1, "llo")
        + Wire.headers(1, [("x-sum", "42"), ("age", "9")])
        + Wire.ping()
        + Wire.reset(7, code: 2)

    private static func split(_ stream: Int, _ section: [UInt8]) -> [UInt8] {
        Wire.frame(1, flags: Wire.Flag.endStream, stream: stream, Array(section[..<10]))
            + Wire.frame(9, stream: stream, Array(section[10..<100]))
            + Wire.frame(9, flags: Wire.Flag.endHeaders, stream: stream, Array(section[100...]))
    }

    static let events = [
        "settings 7", "1 interim 103 link:<a>", "1 interim 103 link:<b>",
        "1 200 chunked set-cookie:a=1 set-cookie:b=2", "3 204 none", "3 end", "3 closed done", "1 body he",
        "5 404 none x-long:" + String(repeating: "x", count: 200), "5 end", "5 closed done", "1 body llo",
        "1 end x-sum:42", "1 closed done", "7 closed reset(2)",
    ]

    private static func script() -> ClientSessionScript {
        let script = ClientSessionScript()
        for _ in 0..<4 { script.request() }
        return script
    }

    /// Each field counts with its name, its value and 32 bytes more (RFC 9113 §6.5.2).
    @Test func fieldsThatThePeerWouldRefuseAreNotSent() {
        // :method GET, :scheme http, :authority fruit.example, :path /
        let bytes = 7 + 3 + 7 + 4 + 10 + 13 + 5 + 1 + 4 * 32
        let script = ClientSessionScript()
        script.request()
        #expect(script.submitted == .opened)
        script.play(Wire.settings([6: bytes - 1]))
        script.request()
        #expect(script.submitted == .tooLarge(most: bytes - 1))
        script.play(Wire.settings([6: bytes]))
        script.request()
        #expect(script.submitted == .opened)
        #expect(script.streams.keys.sorted() == [1, 3])
    }

    @Test func responsesComeAsTheyAre() {
        let script = Self.script()
        script.play(Self.conversation)
        #expect(script.log == Self.events)
        #expect(script.reader.settingsAcks == 1)
        #expect(script.reader.pingAcks == 1)
        #expect(script.session.open.isEmpty)
    }

    @Test func everyCutGivesTheSame() {
        for cut in 1..<Self.conversation.count {
            let script = Self.script()
            script.play(Array(Self.conversation[..<cut]))
            script.play(Array(Self.conversation[cut...]))
            #expect(script.log == Self.events, "cut at \(cut)")
        }
        let script = Self.script()
        for byte in Self.conversation { script.play([byte]) }
        #expect(script.log == Self.events)
    }

    /// RFC 9113 §6.8, §8.7: what is beyond the last stream was never processed.
    @Test func goawayTellsWhatWasNotProcessed() {
        let script = Self.script()
        script.play(Wire.settings() + Wire.frame(7, [0, 0, 0, 3, 0, 0, 0, 0]))
        #expect(Set(script.log.suffix(2)) == ["5 closed unprocessed", "7 closed unprocessed"])
        #expect(script.log.contains("goaway"))
        #expect(script.session.isFinal)
        script.play(Wire.headers(1, [(":status", "204")]))
        #expect(script.log.suffix(3) == ["1 204 none", "1 end", "1 closed done"])
    }

    @Test func refusedStreamsWereNotProcessed() {
        let script = Self.script()
        script.play(Wire.settings() + Wire.reset(1, code: 7))
        #expect(script.log.last == "1 closed unprocessed")
        // After a head it has been, whatever the peer says.
        script.play(Wire.headers(3, [(":status", "200")], end: false) + Wire.reset(3, code: 7))
        #expect(script.log.last == "3 closed reset(7)")
    }

    @Test func interimResponsesHaveALimit() {
        let script = Self.script()
        script.play(Wire.settings())
        for _ in 0..<Limits().interimCount { script.play(Wire.headers(1, [(":status", "103")], end: false)) }
        #expect(script.log.last == "1 interim 103")
        script.play(Wire.headers(1, [(":status", "103")], end: false))
        #expect(script.log.last == "1 malformed")
        #expect(script.reader.answers[1]?.resetCode == 1)
        #expect(script.session.open.count == 3)
    }

    /// A second wish to be rid of it changes nothing; and no peer hears of a stream that it knows nothing of, which
    /// would be a fault of the connection (RFC 9113 §5.1, §6.4).
    @Test(arguments: [true, false])
    func whatIsCancelledTwiceIsResetOnce(isWritten: Bool) {
        let script = ClientSessionScript()
        script.play(Wire.settings())
        let stream = script.request(isWritten: isWritten)
        script.session.cancel(stream)
        script.session.cancel(stream, .noError)
        script.write()
        #expect(script.reader.resets == (isWritten ? [1] : []))
        #expect(script.log.last == "1 closed done")
        if isWritten { #expect(script.reader.answers[1]?.resetCode == 8) }
    }

    @Test func whatIsOverIsNotReset() {
        let script = ClientSessionScript()
        let stream = script.request()
        script.play(Wire.settings() + Wire.headers(1, [(":status", "204")]))
        #expect(script.log.last == "1 closed done")
        script.session.cancel(stream)
        script.write()
        #expect(script.reader.resets == [])
    }

    /// What costs us more than it costs the peer ends the connection (`limits.http2-…`).
    @Test(arguments: [
        ("settings", Wire.settings(), 1001), ("ping", Wire.ping(), 1001),
        ("window", Wire.windowUpdate(0, 1), 1001), ("empty data", Wire.data(1), 1001),
        ("priority", Wire.priority(1, on: 0), 1001),
    ])
    func floodsEndTheConnection(_ name: String, _ frame: [UInt8], _ count: Int) {
        let script = Self.script()
        script.play(Wire.settings() + Wire.headers(1, [(":status", "200")], end: false))
        for _ in 0..<(count + 50) { script.play(frame) }
        #expect(script.log.last?.hasPrefix("fault") == true, "\(name)")
        #expect(script.reader.goaways.last?.code == 11, "\(name)")
    }

    @Test func continuationsHaveALimit() {
        let script = Self.script()
        script.play(Wire.settings() + Wire.frame(1, stream: 1, Wire.section([(":status", "200")])))
        for _ in 0..<9 { script.play(Wire.frame(9, stream: 1, Wire.section([("x", "1")]))) }
        #expect(script.log.last == "fault enhanceYourCalm")
    }

    /// RFC 9113 §8.4: we have asked for no push.
    @Test func pushIsAFault() {
        let script = Self.script()
        script.play(Wire.settings() + Wire.settings(isAck: true))
        script.play(
            Wire.frame(5, flags: Wire.Flag.endHeaders, stream: 1, [0, 0, 0, 2] + Wire.section(Wire.control())))
        #expect(script.reader.goaways.last?.code == 1)
    }

    @Test func largeContentGoesOutAsTheWindowOpens() {
        let script = ClientSessionScript()
        let text = String(repeating: "x", count: 100_000)
        script.request(.post, content: text)
        #expect(script.reader.answers[1]?.body.count == 65_535)
        script.play(Wire.settings() + Wire.windowUpdate(1, 50_000) + Wire.windowUpdate(0, 50_000))
        #expect(script.reader.answers[1]?.body.count == 100_000)
        #expect(script.reader.answers[1]?.isComplete == true)
    }
}
