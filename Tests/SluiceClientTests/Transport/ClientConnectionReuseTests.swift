import Glibc
import SluiceSockets
import TestFiles
import Testing

@testable import SluiceClient

/// What is left of one call when the next takes its connection, and connections that are of no use.
@Suite struct ClientConnectionReuseTests {
    /// What came behind an answer, or unasked, is not the next call's answer.
    @Test func bytesOfBeforeAreNoAnswer() async throws {
        let go = Inbox<Void>()
        let gone = Inbox<Void>()
        let gateway = try ScriptedGateway { peer, _ in
            while let request = peer.request() {
                guard request.hasPrefix("GET /first") else {
                    peer.write(GatewayTransportTests.ok)
                    continue
                }
                peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no")
                go.wait()
                peer.write("k")
                // Once the client has read the end, it reads nothing until somebody has taken it.
                peer.awaitRead()
                peer.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong")
                gone.put(())
            }
        }
        let transport = GatewayTransport(try gateway.address)
        for _ in 0..<50 {
            let first = try await transport.send(CallRequest("/first"), timeout: .seconds(60))
            go.put(())
            await gone.take()
            #expect(try await GatewayTransportTests.text(first) == "ok")
            let second = try await transport.send(CallRequest("/second"), timeout: .seconds(60))
            #expect(try await GatewayTransportTests.text(second) == "ok")
        }
    }

    /// Nothing is sent for a call that is cancelled already, and its connection serves the next.
    @Test func aCancelledCallSendsNothing() async throws {
        let asked = Locked<[String]>([])
        let gateway = try ScriptedGateway(answering: { request in
            asked.withLock { $0.append(String(request.prefix { $0 != "\r\n" })) }
            return GatewayTransportTests.ok
        })
        let pool = ConnectionPool(try gateway.address, TransportLimits())
        let address = try gateway.address
        for path in ["/0", "/1"] {
            let connection = try await pool.lease(due: .max)
            let call = try OutgoingCall(CallRequest(path), to: address)
            let cancelled = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await connection.perform(call, due: .max).step
            }
            guard case .failed(.cancelled) = await cancelled.value else {
                Issue.record("it was made")
                return
            }
            let again = try await pool.lease(due: .max)
            #expect(again === connection)
            guard case .answer(200, _, _, _) = await again.perform(call, due: .max).step else {
                Issue.record("no answer")
                return
            }
        }
        #expect(asked.withLock { $0 } == ["GET /0 HTTP/1.1", "GET /1 HTTP/1.1"])
        pool.close()
    }

    /// The loop has told of a connection's end before the call told that it was free.
    @Test func aConnectionThatIsGoneIsNotKept() async throws {
        let gateway = try ScriptedGateway(answering: { _ in GatewayTransportTests.ok })
        let pool = ConnectionPool(try gateway.address, TransportLimits())
        let connection = try await pool.lease(due: .max)
        connection.locked { connection.machine.fail(.cancelled) }
        pool.freed(connection)
        let other = try await pool.lease(due: .max)
        #expect(other !== connection)
        pool.close()
    }

    /// A body that says something when it is let go says it without a lock, and not on the loop's thread.
    @Test func aBodyMayCancelItsCallWhenItEnds() async throws {
        let go = Inbox<Void>()
        let gateway = try ScriptedGateway { peer, _ in
            _ = peer.request()
            _ = peer.content(1)
            peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no")
            go.wait()
            peer.write("k")
            peer.awaitEnd()
        }
        let transport = GatewayTransport(try gateway.address)
        let task = Locked<Task<String, any Error>?>(nil)
        let call = Task {
            let body = LastWords(pieces: 1) { task.withLock { $0 }?.cancel() }
            let answer = try await transport.send(
                CallRequest("POST", "/", body: .stream(length: 1, body)), timeout: .seconds(60))
            go.put(())
            return try await GatewayTransportTests.text(answer)
        }
        task.withLock { $0 = call }
        // Either is right: it depends on when the body is let go. That it ends is what matters.
        if case .success(let text) = await call.result { #expect(text == "ok") }
        task.withLock { $0 = nil }
    }

    /// The gateway reads no more: an endless body is not asked for more either, and the answer is waited for.
    @Test func aBodyThatIsNotTakenIsLetGo() async throws {
        let ended = Inbox<Void>()
        let gateway = try ScriptedGateway { peer, _ in
            _ = peer.request()
            peer.readNoMore()
            ended.wait()
            peer.write("HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\n\r\nno")
            peer.awaitEnd()
        }
        let transport = GatewayTransport(try gateway.address)
        let body = LastWords(pieces: .max) { ended.put(()) }
        let answer = try await transport.send(
            CallRequest("POST", "/", body: .stream(length: nil, body)), timeout: .seconds(60))
        #expect(answer.status == 413)
        #expect(try await GatewayTransportTests.text(answer) == "no")
    }

    /// A body of so many pieces, which tells when nobody reads it any more.
    private struct LastWords: AsyncSequence, Sendable {
        private let pieces: Int
        private let end: @Sendable () -> Void
        private let token: Token?

        fileprivate final class Token: Sendable {
            let end: @Sendable () -> Void

            init(_ end: @escaping @Sendable () -> Void) { self.end = end }

            deinit { end() }
        }

        struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate var left: Int
            fileprivate let token: Token?

            mutating func next() async throws -> [UInt8]? {
                if left == 0 { return nil }
                left -= 1
                return [1]
            }
        }

        init(pieces: Int, _ end: @escaping @Sendable () -> Void) {
            self.pieces = pieces
            self.end = end
            // An endless one ends with its reading, another with the request.
            token = pieces == .max ? nil : Token(end)
        }

        func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(left: pieces, token: token ?? Token(end))
        }
    }

    /// What is silent while the reader is behind is the reader.
    @Test func aSlowReaderIsNoSilentGateway() async throws {
        let gateway = try ScriptedGateway { peer, _ in
            _ = peer.request()
            peer.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n\(String(repeating: "x", count: 100))")
            peer.awaitEnd()
        }
        var limits = TransportLimits()
        limits.bufferedBytes = 1
        limits.stall = .seconds(3600)
        let pool = ConnectionPool(try gateway.address, limits)
        let connection = try await pool.lease(due: .max)
        let call = try OutgoingCall(CallRequest("/"), to: gateway.address)
        let (step, number) = await connection.perform(call, due: .max)
        guard case .answer(200, _, let start, _) = step else {
            Issue.record("no answer")
            return
        }
        connection.stream(number)
        while start.count < 100, connection.locked({ connection.machine.wantsInput }) { await Task.yield() }
        _ = connection.timePassed(MonotonicClock.now() + 7_200_000_000_000)
        if start.count < 100 {
            guard case .bytes = await connection.content(number) else {
                Issue.record("it was given up")
                return
            }
        }
        pool.close()
    }

    /// Nobody answers at the first address: the second is tried while there is time.
    @Test func anAddressWhereNobodyAnswers() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/full.sock"
        let full = ScriptedGateway.listen(path, backlog: 0)
        let other = ScriptedGateway.connect(path)
        defer {
            close(other)
            close(full)
        }
        let gateway = try ScriptedGateway(answering: { _ in GatewayTransportTests.ok })
        var limits = TransportLimits()
        limits.connect = .seconds(3600)
        let pool = ConnectionPool(try gateway.address, limits)
        let connection = ClientConnection(pool)
        connection.look()
        connection.found(.success([path, gateway.path].compactMap(SocketAddress.init(unixPath:))))
        _ = connection.timePassed(MonotonicClock.now() + 2_000_000_000_000)
        let call = try OutgoingCall(CallRequest("/"), to: gateway.address)
        guard case .answer(200, _, _, _) = await connection.perform(call, due: .max).step else {
            Issue.record("no answer")
            return
        }
        connection.dismiss()
    }
}
