import HTTP2Wire
import SluiceContract
import Testing

@testable import SluiceGateway

/// A connection to an upstream that speaks HTTP/2, frame by frame.
final class HTTP2Origin {
    typealias Wire = HTTP2Wire

    let peer: OriginPeer
    private let wire = HTTP2WireReader()
    private var read = 0

    /// - Parameter settings: sent at once, as a server does (RFC 9113 §3.4).
    init(_ peer: OriginPeer, settings: KeyValuePairs<UInt16, Int> = [:]) {
        self.peer = peer
        peer.send(Wire.settings(settings))
    }

    /// What the gateway has said so far, behind the client preface.
    var reader: HTTP2WireReader {
        let start = max(read, Wire.magic.count)
        if peer.bytes.count > start { wire.feed(peer.bytes[start...]) }
        read = max(read, peer.bytes.count)
        return wire
    }

    /// What has come on a stream: of a request, its control data are fields.
    func request(_ stream: Int) -> HTTP2WireReader.Answer { reader.answers[stream] ?? HTTP2WireReader.Answer() }

    var streams: [Int] { reader.answers.filter { !$0.value.fields.isEmpty }.keys.sorted() }

    func send(_ frames: [UInt8]...) { peer.send(Array(frames.joined())) }

    func answer(_ stream: Int, _ status: Int = 200, _ fields: Wire.Fields = [], body: String = "") {
        var frames = Wire.headers(stream, [(":status", "\(status)")] + fields, end: body.isEmpty)
        if !body.isEmpty { frames += Wire.data(stream, body, end: true) }
        send(frames)
    }
}

extension Bench {
    /// The connections that have been dialled are to speak HTTP/2, and the last one does.
    func http2Origin(
        _ settings: KeyValuePairs<UInt16, Int> = [:], _ location: SourceLocation = #_sourceLocation
    ) throws -> HTTP2Origin {
        HTTP2Origin(try origin(location), settings: settings)
    }
}
