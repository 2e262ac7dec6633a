import Synchronization

/// An API that is asked what an ``ExchangeScript`` says, in its order, and answers what stands there.
final class ExchangeOrigin: Sendable {
    private let crowd: OriginCrowd
    private let state = Mutex(State())

    private struct State {
        var awaited: [(asked: ExchangeScript.Message, answered: ExchangeScript.Message)] = []
        var surprises: [String] = []
    }

    init() throws {
        crowd = try OriginCrowd(backlog: 64)
        crowd.serve { [self] in answer(on: $0) }
    }

    func end() { crowd.end() }

    var url: String { "http://127.0.0.1:\(crowd.port)" }

    func expect(_ scene: ExchangeScript.Scene) {
        state.withLock { $0 = State(awaited: scene.upstream) }
    }

    /// What was asked in another way than expected, or not at all.
    var surprises: [String] {
        state.withLock { state in
            state.surprises + state.awaited.map { "'\($0.asked.start)' was not asked" }
        }
    }

    private func answer(on connection: Connection) {
        var unread: [UInt8] = []
        while case .bytes(let bytes) = connection.receive() {
            unread += bytes
            while let request = Self.request(in: &unread) {
                let answer = state.withLock { Self.answer(to: request, &$0) }
                let head =
                    ["HTTP/1.1 \(answer.start) x"] + answer.fields + ["Content-Length: \(answer.content.utf8.count)"]
                connection.send(head.joined(separator: "\r\n") + "\r\n\r\n" + answer.content)
            }
        }
    }

    private static func answer(
        to request: ExchangeScript.Message, _ state: inout State
    ) -> ExchangeScript.Message {
        guard !state.awaited.isEmpty else {
            state.surprises.append("'\(request.start)' was asked")
            return .init(start: "599")
        }
        let (asked, answered) = state.awaited.removeFirst()
        if request.start != asked.start {
            state.surprises.append("'\(request.start)' in the place of '\(asked.start)'")
        }
        if request.content != asked.content {
            state.surprises.append("\(asked.start): '\(request.content)' in the place of '\(asked.content)'")
        }
        for field in asked.fields where !request.fields.contains(field) {
            state.surprises.append("\(asked.start): no field '\(field)' among \(request.fields)")
        }
        return answered
    }

    /// Takes a whole request; nil where more has to come.
    private static func request(in unread: inout [UInt8]) -> ExchangeScript.Message? {
        guard let end = unread.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return nil }
        let lines = String(decoding: unread[..<(end - 4)], as: UTF8.self).split(separator: "\r\n").map(String.init)
        let length = lines.first { $0.lowercased().hasPrefix("content-length: ") }.flatMap { Int($0.dropFirst(16)) }
        let count = end + (length ?? 0)
        guard unread.count >= count else { return nil }
        let content = String(decoding: unread[end..<count], as: UTF8.self)
        unread.removeFirst(count)
        let words = lines[0].split(separator: " ")
        return .init(start: words.prefix(2).joined(separator: " "), fields: Array(lines.dropFirst()), content: content)
    }
}
