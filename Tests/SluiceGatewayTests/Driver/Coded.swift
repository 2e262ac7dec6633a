import SluiceCoding
import SluiceContract
import Testing

/// Bodies in content codings, for tests.
enum Coded {
    static func bytes(_ text: String, _ codings: ContentCoding...) throws -> [UInt8] {
        try codings.reduce(Array(text.utf8)) { try encode($0, $1) }
    }

    private static func encode(_ bytes: [UInt8], _ coding: ContentCoding) throws -> [UInt8] {
        let encoder = ContentEncoder()
        try #require(encoder.begin(coding))
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { room.deallocate() }
        var rest = bytes
        var coded: [UInt8] = []
        while true {
            let progress = try #require(rest.withUnsafeBytes { encoder.encode($0, into: room, isEnd: true) })
            coded += room.prefix(progress.produced)
            rest.removeFirst(progress.consumed)
            if progress.isDone { return coded }
        }
    }

    /// What a client makes of a body.
    static func text(_ bytes: [UInt8], _ name: String) throws -> String {
        let decoder = ContentDecoder()
        let coding = try #require(ContentCoding(rawValue: name), "\(name)")
        decoder.begin(CodingStack(coding), limits: DecodingLimits(decodedBytes: 1 << 30, ratio: 1 << 20))
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { room.deallocate() }
        var decoded: [UInt8] = []
        try bytes.withUnsafeBytes { bytes in
            var rest = bytes
            while true {
                let progress = try decoder.decode(rest, into: room)
                decoded += room.prefix(progress.produced)
                rest = UnsafeRawBufferPointer(rebasing: rest[progress.consumed...])
                if progress.isStarved { break }
            }
        }
        try decoder.finish()
        return String(decoding: decoded, as: UTF8.self)
    }

    /// A message with a body of known length.
    static func message(_ head: String, _ body: [UInt8]) -> [UInt8] {
        Array("\(head)\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
    }

    /// An array of objects, about `count` bytes of it.
    static func document(_ count: Int) -> String {
        var text = "["
        var number = 7
        while text.utf8.count < count {
            number = number &* 1_103_515_245 &+ 12345 & 0x7FFF_FFFF
            if text.utf8.count > 1 { text += "," }
            text += #"{"id":\#(number),"name":"fruit \#(number % 97)"}"#
        }
        return text + "]"
    }
}

extension Peer {
    /// Sends `bytes` in pieces of `size` bytes.
    func send(_ bytes: [UInt8], inPiecesOf size: Int) {
        var rest = bytes[...]
        while !rest.isEmpty {
            send(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
    }
}
