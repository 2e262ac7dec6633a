/// Parses replies of a Redis server, piece by piece (RESP2). It reads only the kinds of replies that our commands get,
/// up to their limits: a hostile server cannot fill the memory.
struct RedisReplies: ~Copyable {
    /// What the server answered.
    enum Reply: Equatable {
        case nothing
        case bytes([UInt8])
        case number(Int)
        /// The first word of the server's message, such as `WRONGTYPE`: the rest may repeat what was sent.
        case refused(String)
    }

    /// A line is a number, a status, or a message for people.
    static let lineBytesMax = 4096

    private var buffer: [UInt8] = []
    /// Bytes of it that have been read.
    private var position = 0

    mutating func feed(_ bytes: UnsafeRawBufferPointer) {
        if position > 0 {
            buffer.removeFirst(position)
            position = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next reply; nil where more of it has to come.
    /// - Parameter bytesMax: of a reply that is bytes.
    mutating func next(atMost bytesMax: Int) throws(StoreFailure) -> Reply? {
        guard let end = try endOfLine() else { return nil }
        let kind = buffer[position]
        let line = buffer[(position + 1)..<end]
        let behind = end + 2
        switch kind {
        case UInt8(ascii: "+"): return take(.bytes(Array(line)), upTo: behind)
        case UInt8(ascii: "-"):
            return take(.refused(String(decoding: line.prefix { $0 != 0x20 }, as: UTF8.self)), upTo: behind)
        case UInt8(ascii: ":"): return take(.number(try Self.number(line)), upTo: behind)
        case UInt8(ascii: "$"):
            let count = try Self.number(line)
            if count == -1 { return take(.nothing, upTo: behind) }
            guard (0...bytesMax).contains(count) else {
                throw StoreFailure("it sent a reply of \(count) bytes where at most \(bytesMax) were asked for")
            }
            guard buffer.count >= behind + count + 2 else { return nil }
            return take(.bytes(Array(buffer[behind..<(behind + count)])), upTo: behind + count + 2)
        default: throw StoreFailure("it sent what nobody asked for; is it a Redis or Valkey?")
        }
    }

    private mutating func take(_ reply: Reply, upTo end: Int) -> Reply {
        position = end
        return reply
    }

    /// Where the line at `position` ends; nil where it goes on.
    private func endOfLine() throws(StoreFailure) -> Int? {
        let window = buffer[position...].prefix(Self.lineBytesMax)
        if let end = window.firstIndex(of: 0x0A) {
            guard end > position, buffer[end - 1] == 0x0D, end - 1 > position else {
                throw StoreFailure("it sent a line that is none; is it a Redis or Valkey?")
            }
            return end - 1
        }
        if window.count == Self.lineBytesMax { throw StoreFailure("it sent a line without an end") }
        return nil
    }

    private static func number(_ text: ArraySlice<UInt8>) throws(StoreFailure) -> Int {
        guard let number = Int(String(decoding: text, as: UTF8.self)) else {
            throw StoreFailure("it sent no number where one belongs; is it a Redis or Valkey?")
        }
        return number
    }
}
