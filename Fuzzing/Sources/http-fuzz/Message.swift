import SluiceHTTP

/// A message that a machine has read.
struct Message: Equatable {
    /// Method and target, or status and reason.
    var words: [[UInt8]]
    var fields: [Field]
    var framing: BodyFraming
    var body: [UInt8] = []
    var trailers: [Field] = []
    var isComplete = false

    struct Field: Equatable {
        var name: [UInt8]
        var value: [UInt8]
    }

    init(words: [[UInt8]], _ fields: borrowing HeaderBlock, _ framing: BodyFraming) {
        self.words = words
        self.fields = Self.fields(fields)
        self.framing = framing
    }

    static func fields(_ block: borrowing HeaderBlock) -> [Field] {
        (0..<block.count).filter { !block.isMarked($0) }.map {
            Field(name: Array(block.name($0)), value: Array(block.value($0)))
        }
    }

    /// Written as the gateway writes it, the message is read as one and the same by a reader that knows nothing but the
    /// letter: nothing that a machine accepts can be two messages for the next one.
    func check(isResponse: Bool) {
        var wire = words[0]
        if isResponse {
            wire = Array("HTTP/1.1 ".utf8) + words[0] + [0x20] + words[1] + [0x0D, 0x0A]
        } else {
            wire += [0x20] + words[1] + Array(" HTTP/1.1\r\n".utf8)
        }
        for field in fields where !field.frames {
            wire += field.name + Array(": ".utf8) + field.value + [0x0D, 0x0A]
        }
        switch framing {
        case .none, .untilClose: wire += [0x0D, 0x0A] + body
        case .length(let length):
            precondition(length == body.count, "a length of \(length) and \(body.count) bytes")
            wire += Array("Content-Length: \(length)\r\n\r\n".utf8) + body
        case .chunked:
            wire += Array("Transfer-Encoding: chunked\r\n\r\n".utf8)
            if !body.isEmpty { wire += Array((String(body.count, radix: 16) + "\r\n").utf8) + body + [0x0D, 0x0A] }
            wire += Array("0\r\n".utf8)
            for field in trailers { wire += field.name + Array(": ".utf8) + field.value + [0x0D, 0x0A] }
            wire += [0x0D, 0x0A]
        }
        LetterReader.check(wire, against: self)
    }
}

extension Message.Field {
    /// Whether the gateway writes a field of its own in its place.
    var frames: Bool {
        let name = String(decoding: name, as: UTF8.self).lowercased()
        return name == "content-length" || name == "transfer-encoding"
    }
}

/// Reads one message by the plain letter of RFC 9112, with none of the machines' code.
enum LetterReader {
    static func check(_ wire: [UInt8], against message: Message) {
        var rest = wire[...]
        let start = line(&rest)
        precondition(start.split(separator: 0x20, omittingEmptySubsequences: false).count >= 3, "start line")
        var length: Int?
        var isChunked = false
        var count = 0
        while true {
            let line = line(&rest)
            if line.isEmpty { break }
            count += 1
            guard let colon = line.firstIndex(of: 0x3A) else { preconditionFailure("a line without a colon") }
            precondition(!line[..<colon].isEmpty && !line[..<colon].contains(where: { $0 <= 0x20 || $0 >= 0x7F }))
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            let value = String(decoding: line[(colon + 1)...], as: UTF8.self)
            if name == "content-length" {
                precondition(length == nil && !isChunked, "framed twice")
                length = Int(value.dropFirst())
                precondition(length != nil)
            }
            if name == "transfer-encoding" {
                precondition(length == nil && !isChunked, "framed twice")
                precondition(value == " chunked")
                isChunked = true
            }
        }
        precondition(count >= message.fields.filter { !$0.frames }.count, "a field was lost")
        var body: ArraySlice<UInt8> = []
        if isChunked {
            body = chunks(&rest)
        } else if let length {
            body = rest.prefix(length)
            rest = rest.dropFirst(length)
        } else if message.framing == .untilClose {
            body = rest
            rest = []
        }
        precondition(Array(body) == message.body, "another body")
        precondition(rest.isEmpty, "bytes behind the end")
    }

    /// A line without its CRLF, and without any other control character.
    private static func line(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let end = rest.firstIndex(of: 0x0A) else { preconditionFailure("a line without its end") }
        precondition(end > rest.startIndex && rest[end - 1] == 0x0D, "a bare LF")
        let line = rest[rest.startIndex..<end - 1]
        precondition(!line.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }, "a control character")
        rest = rest[(end + 1)...]
        return line
    }

    private static func chunks(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var body: [UInt8] = []
        while true {
            let size = line(&rest)
            guard let count = Int(String(decoding: size, as: UTF8.self), radix: 16) else {
                preconditionFailure("a chunk without a size")
            }
            if count == 0 { break }
            body += rest.prefix(count)
            rest = rest.dropFirst(count)
            precondition(line(&rest).isEmpty)
        }
        while !line(&rest).isEmpty {}
        return body[...]
    }
}
