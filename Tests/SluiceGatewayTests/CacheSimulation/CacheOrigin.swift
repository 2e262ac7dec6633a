@testable import SluiceGateway

/// One connection at the origin of a cache simulation.
final class CacheOrigin {
    let peer: OriginPeer
    private var planned = 0
    private var outgoing: [UInt8] = []
    private var ending = Ending.none
    /// It has said that it is done: what it is asked after that is asked again elsewhere.
    private var hasEnded = false
    /// The resource that it is asked for at present; nil where it is asked nothing that everybody shares.
    private(set) var question: Int?
    /// Changed here, and the gateway may not have heard of it yet.
    private var changing: Int?

    private enum Ending {
        case none, fin, reset, stall
    }

    private enum Plan: Hashable {
        case length, chunked, truncated, reset, stall, failure, closeUnanswered
    }

    /// What it was asked last.
    var asked: String { peer.requests.last.map { "\($0.startLine) of client \($0["X-Client"] ?? "")" } ?? "nothing" }
    var outgoingCount: Int { outgoing.count }

    init(_ peer: OriginPeer) {
        self.peer = peer
    }

    /// Looks at what has come, and plans an answer.
    /// - Returns: what is wrong.
    func read(
        _ history: CacheHistory, now: UInt64, isOrderly: Bool, beside others: [CacheOrigin],
        using random: inout SeededGenerator
    ) -> String? {
        if let fault = peer.reader.fault { return "origin reads \(fault)" }
        if hasEnded { return nil }
        for message in peer.requests.dropFirst(planned) where message.isComplete {
            planned += 1
            let target = message.target.split(separator: "?")
            guard let id = Int(target.first?.split(separator: "/").last ?? "") else { return "for \(message.target)" }
            let owner = target.count > 1 ? Int(target[1].dropFirst("for=".count)) : nil
            let nature = CachedWorld.nature(id)
            if message.method == "PUT" {
                history.change(id)
                changing = id
                history.touch(id)
            } else if message.method == "GET", [.solid, .long].contains(nature), message["Authorization"] == nil {
                // Whoever asks after a change does not wait for an answer that was asked for before it.
                if others.contains(where: { $0.question == id }), !history.isTouched(id) {
                    return "the origin is asked twice at once for \(id)"
                }
                question = id
            }
            answer(message, id, owner: owner, history, now: now, isOrderly: isOrderly, using: &random)
        }
        return nil
    }

    private func answer(
        _ message: Message, _ id: Int, owner: Int?, _ history: CacheHistory, now: UInt64, isOrderly: Bool,
        using random: inout SeededGenerator
    ) {
        let mayFail = ![.solid, .long].contains(CachedWorld.nature(id))
        let plan: Plan =
            isOrderly
            ? .length
            : random.pick([
                .length: 60, .chunked: 25, .truncated: 5, .reset: 4, .stall: 2, .failure: mayFail ? 4 : 0,
                .closeUnanswered: 3,
            ])
        let version = history.current(id)
        history.confirm(id, now: now)
        let client = Int(message["X-Client"] ?? "") ?? 0
        var head = "X-Version: \(version)\r\nETag: \"\(id).\(version)\"\r\n"
        head += CachedWorld.fields(id, version: version, client: client)
        if message["If-None-Match"] == "\"\(id).\(version)\"", CachedWorld.nature(id) != .personal {
            outgoing += Array("HTTP/1.1 304 X\r\n\(head)\r\n".utf8)
            return
        }
        let text = CachedWorld.body(
            id, version: version, client: client, owner: owner, authorization: message["Authorization"],
            language: message["X-Lang"] ?? "")
        let body = message.method == "PUT" ? [] : Array(text.utf8)
        let sent = message.method == "HEAD" ? [] : body
        let isMoved = message.method != "PUT" && CachedWorld.sources(id).first != id
        head = "HTTP/1.1 \(isMoved ? 302 : 200) X\r\n" + head
        switch plan {
        case .length: outgoing += Array("\(head)Content-Length: \(body.count)\r\n\r\n".utf8) + sent
        case .chunked:
            outgoing += Array("\(head)Transfer-Encoding: chunked\r\n\r\n".utf8)
            if message.method == "HEAD" { return }
            if !sent.isEmpty { outgoing += Array("\(String(sent.count, radix: 16))\r\n".utf8) + sent + [0x0D, 0x0A] }
            outgoing += Array("0\r\n\r\n".utf8)
        case .truncated, .reset:
            outgoing += Array("\(head)Content-Length: \(body.count)\r\n\r\n".utf8) + sent
            outgoing.removeLast(random.number(1...outgoing.count))
            ending = plan == .reset ? .reset : .fin
        case .stall: ending = .stall
        case .failure: outgoing += Array("HTTP/1.1 503 X\r\nContent-Length: 0\r\n\r\n".utf8)
        case .closeUnanswered: ending = .fin
        }
    }

    func sendSome(_ count: Int, _ history: CacheHistory) {
        if let changing { history.touch(changing) }
        if !outgoing.isEmpty {
            let piece = Array(outgoing.prefix(count))
            outgoing.removeFirst(piece.count)
            if outgoing.isEmpty { question = nil }
            if outgoing.isEmpty, ending != .stall { changing = nil }
            peer.send(piece)
        }
        guard outgoing.isEmpty, peer.unreadCount == 0 else { return }
        switch ending {
        case .none, .stall: break
        case .fin:
            hasEnded = true
            peer.endInput()
        case .reset: peer.reset()
        }
    }
}
