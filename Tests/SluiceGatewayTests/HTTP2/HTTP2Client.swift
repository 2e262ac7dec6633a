import HTTP2Wire
import SluiceContract
import Testing

@testable import SluiceGateway

extension Message {
    /// An answer of HTTP/2 as one that any client reads.
    init(_ answer: HTTP2WireReader.Answer) {
        startLine = "HTTP/2 \(answer.status)"
        fields = answer.fields.filter { !$0.name.hasPrefix(":") }.map { Field(name: $0.name, value: $0.value) }
        body = answer.body
        bodyCount = answer.body.count
        trailers = answer.trailers.map { Field(name: $0.name, value: $0.value) }
        isHeadComplete = answer.status > 0
        isComplete = answer.isComplete
    }
}

/// A client of the bench that speaks HTTP/2.
final class HTTP2Client {
    let peer: ClientPeer
    private let wire = HTTP2WireReader()
    private var read = 0

    convenience init(_ bench: Bench, preface: [UInt8] = HTTP2Wire.preface) {
        self.init(bench.client(), preface: preface)
    }

    init(_ peer: ClientPeer, preface: [UInt8] = HTTP2Wire.preface) {
        self.peer = peer
        peer.recordsBytes = true
        peer.send(preface)
    }

    /// What the gateway has said so far.
    var reader: HTTP2WireReader {
        wire.feed(peer.bytes[read...])
        read = peer.bytes.count
        return wire
    }

    func answer(_ stream: Int) -> HTTP2WireReader.Answer { reader.answers[stream] ?? HTTP2WireReader.Answer() }

    func send(_ frames: [UInt8]...) { peer.send(Array(frames.joined())) }

    func send(_ frames: [UInt8], inPiecesOf size: Int) {
        var rest = frames[...]
        while !rest.isEmpty {
            peer.send(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
    }

    func get(_ stream: Int, _ path: String, _ fields: HTTP2Wire.Fields = []) {
        send(HTTP2Wire.request(stream, "GET", path, fields))
    }

    var isEnded: Bool { peer.sawEnd || peer.sawReset }
    /// The code of the last GOAWAY.
    var goaway: Int? { reader.goaways.last?.code }
}
