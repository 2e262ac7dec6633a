import Foundation
import Synchronization

/// An origin that plays transcripts: one per connection, in the order in which connections come.
final class ScriptedOrigin: Sendable {
    /// What the origin does next on a connection.
    enum Step: Sendable {
        /// Reads a request head, through the empty line.
        case head
        /// Reads a body of so many bytes.
        case body(Int)
        /// Reads a chunked body, through the empty line after the last chunk.
        case chunkedBody
        /// Reads until the gateway has closed its side.
        case inputEnd
        case send(String)
        /// Sends byte by byte, each in a segment of its own.
        case trickle(String)
        /// Sends so many bytes of the letter x, as fast as they are taken.
        case flood(Int)
        /// Goes on once the test opens the gate.
        case wait(Gate)
        /// Sends no more, but reads on.
        case halfClose
        case reset
        case close
    }

    let port: UInt16
    private let listener: Listener
    private let state = Mutex(State())

    private struct State {
        var connections: [Connection] = []
        var received: [[UInt8]] = []
        var sentByteCount = 0
        var isEnded = false
    }

    /// - Parameters:
    ///   - transcripts: one for each connection.
    ///   - thereafter: played on every further connection; without it they are closed at once.
    ///   - port: where an origin before this one was; 0 lets the kernel choose.
    init(_ transcripts: [[Step]], thereafter: [Step] = [.close], port: UInt16 = 0) throws {
        let listener = try Listener(port: port)
        self.listener = listener
        self.port = listener.port
        Thread.detachNewThread { [self] in
            var index = 0
            while let connection = listener.accept() {
                let transcript = index < transcripts.count ? transcripts[index] : thereafter
                let number = index
                add(connection)
                Thread.detachNewThread { self.play(transcript, on: connection, number: number) }
                index += 1
            }
        }
    }

    /// An origin that gives every request on every connection the same answer.
    convenience init(answering answer: String, times: Int = 1000, port: UInt16 = 0) throws {
        let transcript = Array(repeating: [Step.head, .send(answer)], count: times).flatMap { $0 }
        try self.init([], thereafter: transcript, port: port)
    }

    /// Ends the listener and every connection.
    func end() {
        listener.end()
        state.withLock { state in
            state.isEnded = true
            state.connections.forEach { $0.end() }
        }
    }

    var url: String { "http://127.0.0.1:\(port)" }

    var connectionCount: Int { state.withLock { $0.received.count } }

    /// Connections that neither side has ended.
    var openConnectionCount: Int { state.withLock { $0.connections.count } }

    /// Bytes handed to the kernel so far, over all connections.
    var sentByteCount: Int { state.withLock { $0.sentByteCount } }

    /// Everything that has come so far on connection `number`, counted from 0.
    func received(on number: Int = 0) -> String {
        state.withLock { state in
            state.received.indices.contains(number) ? String(decoding: state.received[number], as: UTF8.self) : ""
        }
    }

    /// What came on all connections, in the order of the connections.
    var allReceived: String {
        state.withLock { String(decoding: $0.received.joined(), as: UTF8.self) }
    }

    private func add(_ connection: Connection) {
        state.withLock { state in
            state.connections.append(connection)
            state.received.append([])
            if state.isEnded { connection.end() }
        }
    }

    private func play(_ transcript: [Step], on connection: Connection, number: Int) {
        var unread: [UInt8] = []
        /// Reads until `isWhole` says how many bytes are taken; false where the connection ended first.
        func read(_ isWhole: ([UInt8]) -> Int?) -> Bool {
            while true {
                if let count = isWhole(unread) {
                    unread.removeFirst(count)
                    return true
                }
                guard case .bytes(let bytes) = connection.receive() else { return false }
                unread += bytes
                state.withLock { $0.received[number] += bytes }
            }
        }
        for step in transcript {
            let goesOn =
                switch step {
                case .head: read { Self.end(of: "\r\n\r\n", in: $0) }
                case .body(let count): read { $0.count >= count ? count : nil }
                case .chunkedBody: read { Self.end(of: "0\r\n\r\n", in: $0) }
                case .inputEnd: !read { _ in nil }
                case .send(let text): connection.send(text)
                case .trickle(let text): text.utf8.allSatisfy { connection.send([$0]) }
                case .flood(let count): flood(count, on: connection)
                case .wait(let gate): gate.wait()
                case .halfClose, .reset, .close: finish(step, connection)
                }
            if !goesOn { break }
        }
        while read({ _ in nil }) {}
        state.withLock { state in state.connections.removeAll { $0 === connection } }
    }

    /// - Returns: whether there is more to do on the connection.
    private func finish(_ step: Step, _ connection: Connection) -> Bool {
        switch step {
        case .halfClose:
            connection.halfClose()
            return true
        case .reset:
            connection.reset()
        default:
            connection.end()
        }
        return false
    }

    private func flood(_ count: Int, on connection: Connection) -> Bool {
        let block = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 16)
        var left = count
        while left > 0 {
            let part = left >= block.count ? block : Array(block.prefix(left))
            guard connection.send(part) else { return false }
            left -= part.count
            state.withLock { $0.sentByteCount += part.count }
        }
        return true
    }

    private static func end(of mark: String, in bytes: [UInt8]) -> Int? {
        bytes.firstRange(of: Array(mark.utf8))?.upperBound
    }
}
