/// Frames as a client writes them (RFC 9113 §4.1), right or wrong: without any state, so that a test can say anything.
public enum HTTP2Wire {
    /// The client preface (RFC 9113 §3.4), without SETTINGS.
    public static let magic = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    /// The whole of it, with empty SETTINGS.
    public static let preface = magic + settings()

    public enum Flag {
        public static let endStream: UInt8 = 0x1
        public static let ack: UInt8 = 0x1
        public static let endHeaders: UInt8 = 0x4
        public static let padded: UInt8 = 0x8
        public static let priority: UInt8 = 0x20
    }

    public static func frame(_ type: UInt8, flags: UInt8 = 0, stream: Int = 0, _ payload: [UInt8] = []) -> [UInt8] {
        let count = payload.count
        return [UInt8(count >> 16 & 0xff), UInt8(count >> 8 & 0xff), UInt8(count & 0xff), type, flags]
            + word(stream) + payload
    }

    public static func settings(_ values: KeyValuePairs<UInt16, Int> = [:], isAck: Bool = false) -> [UInt8] {
        frame(4, flags: isAck ? Flag.ack : 0, values.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] + word($1) })
    }

    public static func data(_ stream: Int, _ text: String = "", end: Bool = false) -> [UInt8] {
        frame(0, flags: end ? Flag.endStream : 0, stream: stream, Array(text.utf8))
    }

    public static func reset(_ stream: Int, code: Int = 8) -> [UInt8] { frame(3, stream: stream, word(code)) }
    public static func ping(isAck: Bool = false) -> [UInt8] {
        frame(6, flags: isAck ? Flag.ack : 0, [UInt8](repeating: 7, count: 8))
    }
    public static func windowUpdate(_ stream: Int, _ count: Int) -> [UInt8] { frame(8, stream: stream, word(count)) }
    public static func priority(_ stream: Int, on other: Int) -> [UInt8] {
        frame(2, stream: stream, word(other) + [15])
    }

    public typealias Fields = [(name: String, value: String)]

    /// A whole field section in one frame.
    public static func headers(_ stream: Int, _ fields: Fields, end: Bool = true) -> [UInt8] {
        frame(1, flags: Flag.endHeaders | (end ? Flag.endStream : 0), stream: stream, section(fields))
    }

    /// `GET` of a path, or whatever `fields` make of it.
    public static func request(
        _ stream: Int, _ method: String = "GET", _ path: String = "/", _ fields: Fields = [],
        authority: String = "localhost", end: Bool = true
    ) -> [UInt8] {
        headers(stream, control(method, path, authority) + fields, end: end)
    }

    public static func control(
        _ method: String = "GET", _ path: String = "/", _ authority: String = "localhost"
    ) -> Fields {
        [(":method", method), (":scheme", "http"), (":authority", authority), (":path", path)]
    }

    /// Literals without indexing and without Huffman coding (RFC 7541 §6.2.2): no state on either side.
    public static func section(_ fields: Fields) -> [UInt8] {
        fields.flatMap { [0] + literal($0.name) + literal($0.value) }
    }

    private static func literal(_ text: String) -> [UInt8] { integer(text.utf8.count) + Array(text.utf8) }

    /// With a prefix of seven bits (RFC 7541 §5.1).
    private static func integer(_ value: Int) -> [UInt8] {
        if value < 127 { return [UInt8(value)] }
        var bytes: [UInt8] = [127]
        var rest = value - 127
        while rest >= 128 {
            bytes.append(UInt8(rest & 127 | 128))
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    static func word(_ value: Int) -> [UInt8] {
        [UInt8(value >> 24 & 0xff), UInt8(value >> 16 & 0xff), UInt8(value >> 8 & 0xff), UInt8(value & 0xff)]
    }
}
