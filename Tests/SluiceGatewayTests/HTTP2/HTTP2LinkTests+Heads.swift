import HTTP2Wire
import SluiceContract
import Testing

@testable import SluiceGateway

extension HTTP2LinkTests {
    /// RFC 9113 §4.3: a section may need many frames, in both directions.
    @Test(arguments: [1, 3, 10])
    func headsLongerThanAFrame(count: Int) throws {
        let bench = try Bench(
            Build.configuration([try Build.binding("ANY /raw/**", to: "fruit /**")]) {
                $0.limits.headerBytes = 200_000
            })
        let client = HTTP2Client(bench)
        let value = String(repeating: "v", count: 10_000)
        let fields = (0..<count).map { (name: "x-\($0)", value: value) }
        let section = Wire.section(Wire.control("GET", "/raw/a") + fields)
        client.send(Wire.frame(1, flags: Wire.Flag.endStream, stream: 1, Array(section.prefix(16_384))))
        for start in stride(from: 16_384, to: section.count, by: 16_384) {
            client.send(Wire.frame(9, stream: 1, Array(section[start...].prefix(16_384))))
        }
        client.send(Wire.frame(9, flags: Wire.Flag.endHeaders, stream: 1))
        #expect(try bench.forwarded().values("X-\(count - 1)") == [value])
        let lines = fields.map { "\($0.name): \($0.value)" }
        try bench.origin().answer(200, lines.joined(separator: "\r\n"), body: "ok")
        for field in fields { #expect(client.answer(1)[field.name] == value) }
        #expect(client.answer(1).text == "ok")
        #expect(!client.isEnded)
        bench.expectQuiet()
    }

    /// RFC 3986 §3.2.3: a port may be empty, and stands for none.
    @Test(
        arguments: [("localhost:", nil), ("localhost", "localhost:"), ("localhost:", "localhost")]
            as [(String, String?)])
    func anEmptyPortIsNone(authority: String, host: String?) throws {
        let bench = try Bench(Build.configuration([try Build.binding("ANY /raw/**", to: "fruit /**")]))
        let client = HTTP2Client(bench)
        let fields = host.map { [(name: "host", value: $0)] } ?? []
        client.send(HTTP2Wire.request(1, "GET", "/raw/a", fields, authority: authority, end: true))
        #expect(try bench.forwarded().values("X-Forwarded-Host") == ["localhost"])
        try bench.origin().answer(200, body: "ok")
        #expect(client.answer(1).text == "ok")
    }

    /// What comes behind a request that was answered at once is nobody's: not the next one's either.
    @Test func trailersOfAnAnsweredRequestGoNowhere() throws {
        let bench = try Bench(Build.configuration([try Build.binding("ANY /raw/**", to: "fruit /**")]))
        let client = HTTP2Client(bench)
        let length = [(name: "content-length", value: "0")]
        client.send(Wire.request(1, "GET", "/nowhere", length, end: false))
        client.send(Wire.headers(1, [("x-late", "1")], end: true))
        #expect(client.answer(1).status == 404)
        client.send(Wire.request(3, "POST", "/raw/a", end: false), Wire.data(3, "abc"))
        client.send(Wire.data(3, "def", end: true))
        let request = try bench.forwarded()
        #expect(request.text == "abcdef" && request.trailers.isEmpty)
        try bench.origin().answer(200)
        #expect(client.answer(3).status == 200)
        bench.expectQuiet()
    }

    /// One that waits for the end of its stream has not begun; that it comes too late is told all the same.
    @Test func aRequestThatNeverBeginsTakesNoTime() throws {
        let bench = try Bench(Build.configuration([try Build.binding("ANY /raw/**", to: "fruit /**")]))
        var times: [UInt64] = []
        bench.gateway.accessLog = { times.append($0.nanoseconds) }
        bench.advance(by: .seconds(1000))
        let client = HTTP2Client(bench)
        client.send(Wire.request(1, "GET", "/raw/a", [(name: "content-length", value: "0")], end: false))
        bench.advance(by: .seconds(61))
        #expect(client.answer(1).status == 408)
        #expect(times == [0])
        #expect(bench.origins.isEmpty)
    }

    static let refused: [(clause: String, field: HTTP2Wire.Fields.Element)] = [
        ("RFC 9113 §8.2.2", ("connection", "close")), ("§8.2", ("X-Upper", "a")), ("§8.3", (":path", "/")),
        ("§8.2.1", ("x", "a\nb")),
    ]

    /// RFC 9113 §4.3: what a section has put into the table stays there, whatever becomes of its request.
    @Test(arguments: refused.indices)
    func theTableSurvivesARefusedSection(_ index: Int) throws {
        let bench = try Bench(Build.configuration([try Build.binding("ANY /raw/**", to: "fruit /**")]))
        let client = HTTP2Client(bench)
        let section = Wire.section(Wire.control("GET", "/raw/a"))
        let entry = [0x40, 5] + Array("x-tab".utf8) + [1, UInt8(ascii: "v")]
        client.send(Wire.frame(1, flags: 5, stream: 1, section + entry + Wire.section([Self.refused[index].field])))
        #expect(client.answer(1).resetCode == 1)
        #expect(bench.origins.isEmpty)
        client.send(Wire.frame(1, flags: 5, stream: 3, section + [0xbe]))
        #expect(try bench.forwarded().values("X-Tab") == ["v"])
        try bench.origin().answer(200, body: "ok")
        #expect(client.answer(3).text == "ok")
        bench.expectQuiet()
    }
}
