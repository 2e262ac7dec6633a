import CNGHTTP2

/// Reads what a server writes on one connection, frame by frame.
public final class HTTP2WireReader {
    public struct Answer {
        public var fields: [(name: String, value: String)] = []
        public var interim: [Int] = []
        public var body: [UInt8] = []
        public var trailers: [(name: String, value: String)] = []
        /// END_STREAM has come.
        public var isComplete = false
        public var resetCode: Int?
        /// Lengths of the DATA frames.
        public var frames: [Int] = []

        public init() {}

        public var status: Int { fields.first { $0.name == ":status" }.flatMap { Int($0.value) } ?? 0 }
        public var text: String { String(decoding: body, as: UTF8.self) }
        public subscript(name: String) -> String? {
            let values = fields.filter { $0.name == name }.map(\.value)
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }
    }

    public private(set) var answers: [Int: Answer] = [:]
    /// Streams in the order in which their answers ended.
    public private(set) var ended: [Int] = []
    /// Codes of GOAWAY, and the last stream that each names.
    public private(set) var goaways: [(code: Int, last: Int)] = []
    public private(set) var settings: [Int: Int] = [:]
    public private(set) var settingsAcks = 0
    public private(set) var pingAcks = 0
    public private(set) var pings = 0
    /// Streams in the order in which they were reset.
    public private(set) var resets: [Int] = []
    /// What window updates add up to, by stream; 0 is the connection.
    public private(set) var windows: [Int: Int] = [:]
    private var buffer: [UInt8] = []
    /// A field section that has not come whole, and the flags of its first frame.
    private var block: [UInt8] = []
    private var blockFlags: UInt8 = 0
    private var inflater: OpaquePointer?

    public init() { nghttp2_hd_inflate_new(&inflater) }

    deinit { nghttp2_hd_inflate_del(inflater) }

    public func feed(_ bytes: some Collection<UInt8>) {
        buffer += bytes
        while buffer.count >= 9 {
            let count = Int(buffer[0]) << 16 | Int(buffer[1]) << 8 | Int(buffer[2])
            guard buffer.count >= 9 + count else { return }
            let stream = Self.word(buffer[5..<9]) & 0x7fff_ffff
            take(buffer[3], buffer[4], stream, Array(buffer[9..<9 + count]))
            buffer.removeFirst(9 + count)
        }
    }

    /// Bytes of a frame that has not come whole.
    public var unread: Int { buffer.count }

    private func take(_ type: UInt8, _ flags: UInt8, _ stream: Int, _ payload: [UInt8]) {
        switch type {
        case 0:
            answers[stream, default: Answer()].body += payload
            answers[stream, default: Answer()].frames.append(payload.count)
            if flags & 1 != 0 { end(stream) }
        case 1 where flags & 4 == 0:
            (block, blockFlags) = (payload, flags)
        case 9 where flags & 4 == 0:
            block += payload
        case 9:
            take(1, blockFlags | 4, stream, block + payload)
        case 1:
            let fields = inflate(payload)
            if fields.first?.name == ":status", let status = Int(fields[0].value), status < 200 {
                answers[stream, default: Answer()].interim.append(status)
            } else if answers[stream]?.fields.isEmpty ?? true {
                answers[stream, default: Answer()].fields = fields
            } else {
                answers[stream, default: Answer()].trailers = fields
            }
            if flags & 1 != 0 { end(stream) }
        case 3:
            answers[stream, default: Answer()].resetCode = Self.word(payload[0..<4])
            resets.append(stream)
        case 4:
            if flags & 1 != 0 { settingsAcks += 1 }
            for start in stride(from: 0, to: payload.count, by: 6) {
                settings[Int(payload[start]) << 8 | Int(payload[start + 1])] = Self.word(payload[start + 2..<start + 6])
            }
        case 6: if flags & 1 != 0 { pingAcks += 1 } else { pings += 1 }
        case 7: goaways.append((Self.word(payload[4..<8]), Self.word(payload[0..<4])))
        case 8: windows[stream, default: 0] += Self.word(payload[0..<4])
        default: break
        }
    }

    private func end(_ stream: Int) {
        answers[stream, default: Answer()].isComplete = true
        ended.append(stream)
    }

    private func inflate(_ block: [UInt8]) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        var position = 0
        while true {
            var field = nghttp2_nv()
            var flags: Int32 = 0
            let taken = block[position...].withUnsafeBufferPointer {
                nghttp2_hd_inflate_hd2(inflater, &field, &flags, $0.baseAddress, $0.count, 1)
            }
            guard taken >= 0 else { return fields }
            position += taken
            if flags & Int32(NGHTTP2_HD_INFLATE_EMIT.rawValue) != 0 {
                fields.append(
                    (
                        String(decoding: UnsafeBufferPointer(start: field.name, count: field.namelen), as: UTF8.self),
                        String(decoding: UnsafeBufferPointer(start: field.value, count: field.valuelen), as: UTF8.self)
                    ))
            }
            if flags & Int32(NGHTTP2_HD_INFLATE_FINAL.rawValue) != 0 {
                nghttp2_hd_inflate_end_headers(inflater)
                return fields
            }
            if taken == 0, flags == 0 { return fields }
        }
    }

    private static func word(_ bytes: some Collection<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
