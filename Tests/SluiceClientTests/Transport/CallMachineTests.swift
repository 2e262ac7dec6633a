import SluiceHTTP
import TestBytes
import Testing

@testable import SluiceClient

/// A connection as a machine: every answer whole, at every split point and byte by byte; what makes it free again.
@Suite struct CallMachineTests {
    private static let address = try? GatewayAddress("unix:/run/sluice.sock")

    static func call(_ request: CallRequest = CallRequest("/a")) throws -> OutgoingCall {
        try OutgoingCall(request, to: #require(address))
    }

    /// What a call comes to: `200 x=y 'content' free`.
    private static func transcript(_ pieces: [ArraySlice<UInt8>], of method: String, isClosed: Bool) throws -> String {
        var machine = CallMachine(limits: TransportLimits())
        machine.begin(try call(CallRequest(method, "/a")))
        machine.sent(machine.outbox.count)
        for piece in pieces { Cuts.lend(piece) { machine.received($0) } }
        if isClosed { machine.inputClosed(isTruncated: false) }
        var text = ""
        switch machine.takeHead() {
        case .wait: return "waits"
        case .failed(let failure): return "\(failure)"
        case .answer(let status, let fields, let content, let isWhole):
            let fields = fields.map { " \($0.name)=\($0.value)" }.joined()
            text = "\(status)\(fields) "
            var content = content
            var isWhole = isWhole
            while !isWhole {
                switch machine.takeContent() {
                case .wait: return text + "'\(String(decoding: content, as: UTF8.self))' waits"
                case .end: isWhole = true
                case .failed(let failure): return text + "'\(String(decoding: content, as: UTF8.self))' \(failure)"
                case .bytes(let more, let isLast):
                    content += more
                    isWhole = isLast
                }
            }
            text += "'\(String(decoding: content, as: UTF8.self))' \(machine.life)"
        }
        return text
    }

    private static let lost = "transport(\(TransportError.connectionLost("")))"

    @Test(arguments: [
        ("GET", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", false, "200 Content-Length=3 'abc' free"),
        ("GET", "HTTP/1.1 204 No Content\r\n\r\n", false, "204 '' free"),
        ("HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", false, "200 Content-Length=9 '' free"),
        (
            "GET", "HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", false,
            "200 Content-Length=0 '' free"
        ),
        (
            "GET", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x=y\r\nc\r\n0\r\nT: u\r\n\r\n",
            false, "200 Transfer-Encoding=chunked 'abc' free"
        ),
        (
            "GET", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\na", false,
            "200 Connection=close Content-Length=1 'a' spent"
        ),
        // RFC 9112 §6.3: content up to the end of the connection.
        ("GET", "HTTP/1.1 200 OK\r\n\r\nabc", true, "200 'abc' spent"),
        ("GET", "HTTP/1.1 200 OK\r\n\r\nabc", false, "200 'abc' waits"),
        ("GET", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n", false, "200 Content-Length=3 '' waits"),
        ("GET", "HTTP/1.1 200", false, "waits"),
    ])
    func answers(_ method: String, _ answer: String, _ isClosed: Bool, _ expected: String) throws {
        for pieces in Cuts.all(Array(answer.utf8)) {
            #expect(try Self.transcript(pieces, of: method, isClosed: isClosed) == expected)
        }
    }

    @Test(arguments: [
        ("", "without an answer"), ("HTTP/1.1 20", "before the answer was whole"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab", "before the answer was whole"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n", "before the answer was whole"),
        ("SSH-2.0-OpenSSH\r\n", "does not begin with an HTTP version"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "Content-Length"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", "both Transfer-Encoding"),
        ("HTTP/1.1 101 Switching Protocols\r\n\r\n", "The gateway switched protocols"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "chunk"),
        ("HTTP/1.1 200 OK\r\nA b: c\r\n\r\n", "A blank stands in a field name"),
    ])
    func faults(_ answer: String, _ reason: String) throws {
        for pieces in Cuts.all(Array(answer.utf8)) {
            let text = try Self.transcript(pieces, of: "GET", isClosed: true)
            #expect(text.contains("transport(") && text.contains(reason), "\(text)")
        }
    }

    @Test func aHeadIsBounded() throws {
        for (field, count) in [("A: " + String(repeating: "b", count: 70_000) + "\r\n", 1), ("A: b\r\n", 300)] {
            let answer = "HTTP/1.1 200 OK\r\n" + String(repeating: field, count: count)
            let text = try Self.transcript([Array(answer.utf8)[...]], of: "GET", isClosed: false)
            #expect(text.contains("limit allows"))
        }
    }

    // MARK: - Kept connections

    /// A machine that has answered one call.
    private static func kept() throws -> CallMachine {
        var machine = CallMachine(limits: TransportLimits())
        machine.begin(try call())
        machine.sent(machine.outbox.count)
        Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8).withUnsafeBytes { machine.received($0) }
        _ = machine.takeHead()
        return machine
    }

    /// RFC 9112 §9.3.1, RFC 9110 §9.2.2.
    @Test(arguments: [
        ("GET", true, 0, true), ("HEAD", true, 0, true), ("OPTIONS", true, 0, true), ("POST", true, 0, false),
        ("PUT", true, 0, false), ("DELETE", true, 0, false), ("POST", false, 0, true), ("GET", true, 1, false),
    ])
    func aKeptConnectionThatCloses(_ method: String, _ isSent: Bool, _ received: Int, _ mayRepeat: Bool) throws {
        var machine = try Self.kept()
        machine.begin(try Self.call(CallRequest(method, "/a", body: .bytes([1]))))
        if isSent { machine.sent(machine.outbox.count) }
        Array("H".utf8).withUnsafeBytes { machine.received(UnsafeRawBufferPointer(rebasing: $0[..<received])) }
        machine.inputClosed(isTruncated: true)
        guard case .failed(let failure) = machine.takeHead() else {
            Issue.record("no failure")
            return
        }
        if case .stale = failure { #expect(mayRepeat) } else { #expect(!mayRepeat) }
        check(machine.life == .spent)
    }

    @Test func aNewConnectionThatClosesIsNotRepeated() throws {
        var machine = CallMachine(limits: TransportLimits())
        machine.begin(try Self.call())
        machine.sent(machine.outbox.count)
        machine.inputClosed(isTruncated: false)
        guard case .failed(.transport(.connectionLost)) = machine.takeHead() else {
            Issue.record("no failure")
            return
        }
    }

    @Test(arguments: [true, false])
    func whatComesUnaskedEndsIt(hasBytes: Bool) throws {
        var machine = try Self.kept()
        if hasBytes {
            Array("HTTP/1.1 408 Request Timeout\r\n\r\n".utf8).withUnsafeBytes { machine.received($0) }
        } else {
            machine.inputClosed(isTruncated: false)
        }
        check(machine.life == .spent)
    }

    @Test func bytesBehindAnAnswerEndTheConnection() throws {
        let text = try Self.transcript(
            [Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1".utf8)[...]], of: "GET", isClosed: false)
        #expect(text == "200 Content-Length=0 '' spent")
    }

    /// The macro cannot look into what is not copyable.
    private func check(_ isSo: Bool, at location: SourceLocation = #_sourceLocation) {
        #expect(isSo, sourceLocation: location)
    }
}
