import Synchronization
import Testing

@testable import SluiceClient

/// Calls over a Unix socket to a scripted gateway in this process.
@Suite struct GatewayTransportTests {
    static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    /// A call's answer as text.
    static func text(_ answer: CallAnswer) async throws -> String {
        String(decoding: try await answer.body.bytes(upTo: 1 << 24), as: UTF8.self)
    }

    @Test func oneCallAfterTheOtherUsesOneConnection() async throws {
        let gateway = try ScriptedGateway(answering: {
            "HTTP/1.1 200 OK\r\nX-Line: \($0.prefix { $0 != "\r\n" })\r\nContent-Length: 1\r\n\r\na"
        })
        let transport = GatewayTransport(try gateway.address)
        for number in 0..<20 {
            let answer = try await transport.send(CallRequest("/\(number)"), timeout: .seconds(60))
            #expect(answer.status == 200)
            #expect(answer.fields["x-line"] == "GET /\(number) HTTP/1.1")
            #expect(try await Self.text(answer) == "a")
        }
        #expect(gateway.connections == 1)
    }

    @Test func anAnswerInTwoPiecesAtEveryPoint() async throws {
        let answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n"
        let gateway = try ScriptedGateway { peer, _ in
            while let request = peer.request(), let cut = Int(request.dropFirst(5).prefix { $0 != " " }) {
                peer.write(String(answer.prefix(cut)))
                // The client has seen the first piece, or goes on to: both come to the same.
                peer.write(String(answer.dropFirst(cut)))
            }
        }
        let transport = GatewayTransport(try gateway.address)
        for cut in 0...answer.count {
            let answer = try await transport.send(CallRequest("/\(cut)"), timeout: .seconds(60))
            #expect(try await Self.text(answer) == "abcdefg")
        }
        #expect(gateway.connections == 1)
    }

    @Test func contentGoesBothWays() async throws {
        let gateway = try ScriptedGateway { peer, _ in
            while peer.request() != nil {
                let content = peer.content(3_000_000)
                peer.write("HTTP/1.1 200 OK\r\nContent-Length: \(content.utf8.count)\r\n\r\n\(content)")
            }
        }
        let transport = GatewayTransport(try gateway.address)
        let text = [UInt8](repeating: UInt8(ascii: "x"), count: 3_000_000)
        let answer = try await transport.send(CallRequest("POST", "/", body: .bytes(text)), timeout: .seconds(60))
        #expect(try await answer.body.bytes(upTo: 3_000_000) == text)
    }

    @Test func aStreamedRequestAndAStreamedAnswerAtTheSameTime() async throws {
        let gateway = try ScriptedGateway { peer, _ in
            guard peer.request()?.contains("Transfer-Encoding: chunked") == true else { return }
            peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in 0..<3 {
                let chunk = peer.content(upTo: "!\r\n")
                peer.write("\(String(chunk.utf8.count, radix: 16))\r\n\(chunk)\r\n")
            }
            #expect(peer.content(upTo: "0\r\n\r\n") == "0\r\n\r\n")
            peer.write("0\r\n\r\n")
            _ = peer.request()
        }
        let transport = GatewayTransport(try gateway.address)
        let (said, say) = AsyncThrowingStream.makeStream(of: [UInt8].self, throwing: (any Error).self)
        let request = CallRequest("POST", "/", body: .stream(length: nil, said))
        let answer = try await transport.send(request, timeout: .seconds(60))
        var heard: [String] = []
        var pieces = answer.body.makeAsyncIterator()
        // Each piece is answered before the next is said: neither side waits for the other's end.
        for word in ["one!", "two!", "three!"] {
            say.yield(Array(word.utf8))
            heard.append(String(decoding: try #require(await pieces.next()), as: UTF8.self))
        }
        say.finish()
        #expect(try await pieces.next() == nil)
        #expect(heard == ["4\r\none!\r\n", "4\r\ntwo!\r\n", "6\r\nthree!\r\n"])
    }

    @Test func whatABodyThrowsIsThrown() async throws {
        struct Fault: Error {}
        let gateway = try ScriptedGateway { peer, _ in peer.awaitEnd() }
        let transport = GatewayTransport(try gateway.address)
        let body = AsyncThrowingStream<[UInt8], any Error> { $0.finish(throwing: Fault()) }
        await #expect(throws: Fault.self) {
            _ = try await transport.send(
                CallRequest("POST", "/", body: .stream(length: 5, body)), timeout: .seconds(60))
        }
    }

    // MARK: - Connections that close

    @Test(arguments: [("GET", 200), ("POST", nil)])
    func aKeptConnectionThatIsClosedOnTheNextRequest(_ method: String, _ status: Int?) async throws {
        let gateway = try ScriptedGateway { peer, number in
            _ = peer.request()
            peer.write(Self.ok)
            // The first connection takes another request and says nothing to it.
            if peer.request() != nil, number > 0 { peer.write(Self.ok) }
        }
        let transport = GatewayTransport(try gateway.address)
        _ = try await transport.send(CallRequest("/"), timeout: .seconds(60))
        if let status {
            let answer = try await transport.send(CallRequest(method, "/"), timeout: .seconds(60))
            #expect(answer.status == status)
            #expect(gateway.connections == 2)
        } else {
            let error = await #expect(throws: TransportError.self) {
                try await transport.send(CallRequest(method, "/"), timeout: .seconds(60))
            }
            #expect(error == .connectionLost("The gateway closed the connection without an answer."))
            #expect(gateway.connections == 1)
        }
    }

    /// Whatever the method: what is known to be closed is not written to.
    @Test func aKeptConnectionThatWasClosedIsNotUsed() async throws {
        let closed = Inbox<Void>()
        let gateway = try ScriptedGateway { peer, _ in
            _ = peer.request()
            peer.write(Self.ok)
            peer.end()
            closed.put(())
        }
        let transport = GatewayTransport(try gateway.address)
        for number in 1...3 {
            let answer = try await transport.send(CallRequest("POST", "/"), timeout: .seconds(60))
            #expect(answer.status == 200)
            await closed.take()
            #expect(gateway.connections == number)
        }
    }

    @Test func nobodyListens() async throws {
        let gateway = try ScriptedGateway { _, _ in }
        let path = gateway.path
        gateway.stop()
        for address in ["unix:\(path)x", "unix:\(path)"] {
            let transport = GatewayTransport(try GatewayAddress(address))
            let error = await #expect(throws: TransportError.self) {
                try await transport.send(CallRequest("/"), timeout: .seconds(60))
            }
            #expect(error?.description.contains("The gateway cannot be reached: \(address): ") == true)
            #expect(error?.description.contains("sluice serve") == true)
        }
    }

    @Test func aNameThatHasNoAddress() async throws {
        let transport = GatewayTransport(try GatewayAddress("http://no-such-host.invalid:1"))
        await #expect(throws: TransportError.self) { try await transport.send(CallRequest("/"), timeout: .seconds(60)) }
    }

    // MARK: - Ends of calls

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab"])
    func cancellationClosesTheConnection(_ start: String) async throws {
        let asked = Inbox<Void>()
        let ended = Inbox<Void>()
        let gateway = try ScriptedGateway { peer, _ in
            _ = peer.request()
            peer.write(start)
            asked.put(())
            peer.awaitEnd()
            ended.put(())
        }
        let transport = GatewayTransport(try gateway.address)
        let task = Task {
            let answer = try await transport.send(CallRequest("/"), timeout: .seconds(60))
            return try await Self.text(answer)
        }
        await asked.take()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await ended.take()
    }

    @Test func anAnswerThatIsDroppedClosesTheConnection() async throws {
        let ended = Inbox<Void>()
        let gateway = try ScriptedGateway { peer, _ in
            _ = peer.request()
            peer.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab")
            peer.awaitEnd()
            ended.put(())
        }
        let transport = GatewayTransport(try gateway.address)
        #expect(try await transport.send(CallRequest("/"), timeout: .seconds(60)).status == 200)
        await ended.take()
    }

    @Test func moreThanTheCallerTakes() async throws {
        let gateway = try ScriptedGateway(answering: { _ in "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabcde" })
        let transport = GatewayTransport(try gateway.address)
        let answer = try await transport.send(CallRequest("/"), timeout: .seconds(60))
        await #expect(throws: TransportError.tooLarge(limit: 4)) { try await answer.body.bytes(upTo: 4) }
        #expect(try await answer.body.bytes(upTo: 5).count == 5)
    }

    @Test(arguments: [
        ("", TransportError.timeout(.answer)), ("HTTP/1.1 200 OK\r\nContent-Le", .timeout(.answer)),
        ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab", .timeout(.content)),
    ])
    func timeIsOver(_ start: String, _ expected: TransportError) async throws {
        let gateway = try ScriptedGateway { peer, _ in
            _ = peer.request()
            peer.write(start)
            peer.awaitEnd()
        }
        let transport = GatewayTransport(try gateway.address)
        await #expect(throws: expected) {
            _ = try await Self.text(try await transport.send(CallRequest("/"), timeout: .milliseconds(50)))
        }
    }

    /// A stream may take as long as it likes, but not be silent for longer than ``TransportLimits/stall``.
    @Test func aStreamOutlivesTheTimeOfItsCall() async throws {
        let go = Inbox<Void>()
        let gateway = try ScriptedGateway { peer, _ in
            _ = peer.request()
            peer.write("HTTP/1.1 200 OK\r\n\r\na")
            go.wait()
            peer.write("b")
            peer.awaitEnd()
        }
        var limits = TransportLimits()
        limits.stall = .milliseconds(150)
        let transport = GatewayTransport(try gateway.address, limits: limits)
        let answer = try await transport.send(CallRequest("/"), timeout: .seconds(30))
        var pieces = answer.body.makeAsyncIterator()
        #expect(try await pieces.next() == Array("a".utf8))
        go.put(())
        #expect(try await pieces.next() == Array("b".utf8))
        let error = await #expect(throws: TransportError.self) { try await pieces.next() }
        #expect(error == .timeout(.content))
    }

    /// Nothing is read of an answer whose reader is behind, so that the gateway is held up.
    @Test func aSlowReaderHoldsTheGatewayUp() async throws {
        let full = Inbox<Int>()
        let gateway = try ScriptedGateway { peer, _ in
            _ = peer.request()
            peer.write("HTTP/1.1 200 OK\r\n\r\n")
            // Until nothing more goes, twice: what the socket holds, and what the client has taken meanwhile.
            let piece = [UInt8](repeating: 1, count: 4096)
            var total = 0
            while true {
                let more = peer.writeUntilFull(piece)
                total += more
                if total > 0, more == 0 { break }
            }
            full.put(total)
            peer.awaitEnd()
        }
        var limits = TransportLimits()
        limits.bufferedBytes = 1 << 10
        let transport = GatewayTransport(try gateway.address, limits: limits)
        let answer = try await transport.send(CallRequest("/"), timeout: nil)
        #expect(await full.take() < 4 << 20)
        _ = answer
    }
}
