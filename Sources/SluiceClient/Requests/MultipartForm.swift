/// A form of several parts (RFC 7578): texts, bytes, files, and what comes from elsewhere piece by piece.
///
/// ```swift
/// let form = MultipartForm([
///     .init(name: "note", text: "ripe"),
///     try .file(name: "photo", at: "/var/photos/fig.jpg", mediaType: "image/jpeg"),
/// ])
/// ```
public struct MultipartForm: Sendable {
    /// One field or file.
    public struct Part: Sendable {
        /// The name of the field.
        public var name: String
        /// What a file is called; nil for a field.
        public var filename: String?
        /// What is in it; nothing is said where it is nil.
        public var mediaType: String?
        /// What is in it. A stream is read as fast as the gateway takes it, and with a length for every part the whole
        /// form has one.
        public var content: CallBody

        /// A field with a text.
        public init(name: String, text: String) {
            self.name = name
            content = .bytes(Array(text.utf8))
        }

        /// A file whose bytes are at hand.
        public init(name: String, filename: String, mediaType: String = "application/octet-stream", bytes: [UInt8]) {
            self.init(name: name, filename: filename, mediaType: mediaType, content: .bytes(bytes))
        }

        /// A file whose bytes come from elsewhere.
        public init(
            name: String, filename: String, mediaType: String = "application/octet-stream", content: CallBody
        ) {
            self.name = name
            self.filename = filename
            self.mediaType = mediaType
            self.content = content
        }

        /// A file of the disk, under the last part of its path.
        ///
        /// - Throws: ``CallError/encode(_:)`` where no file is there.
        public static func file(
            name: String, at path: String, mediaType: String = "application/octet-stream"
        ) throws(CallError) -> Part {
            let filename = path.split(separator: "/").last.map { String($0) } ?? path
            return Part(name: name, filename: filename, mediaType: mediaType, content: try .file(path))
        }

        /// What stands between the part's delimiter and its content (RFC 2046 §5.1.1).
        fileprivate var head: [UInt8] {
            var head = "Content-Disposition: form-data; name=\"\(Self.quoted(name))\""
            if let filename { head += "; filename=\"\(Self.quoted(filename))\"" }
            if let mediaType { head += "\r\nContent-Type: \(mediaType.filter { !$0.isNewline })" }
            return Array("\(head)\r\n\r\n".utf8)
        }

        /// What would end the quotes or the line is percent-encoded, as browsers do it (RFC 7578 §2).
        private static func quoted(_ text: String) -> String {
            text.unicodeScalars.map { scalar in
                switch scalar {
                case "\"": "%22"
                case "\r": "%0D"
                case "\n": "%0A"
                default: String(scalar)
                }
            }.joined()
        }
    }

    /// The fields and files, in the order in which they are sent.
    public var parts: [Part]
    /// What stands between the parts. It occurs in none of the bytes that the form was made with; parts that are added
    /// or changed later are not looked at, and have it inside by a chance of one in 2¹²⁸.
    public let boundary: String

    /// A form of parts; its boundary is drawn until no bytes at hand have it inside. A stream has it by a chance of
    /// one in 2¹²⁸.
    public init(_ parts: [Part]) {
        var chance = SystemRandomNumberGenerator()
        self.init(parts, using: &chance)
    }

    init(_ parts: [Part], using chance: inout some RandomNumberGenerator) {
        self.parts = parts
        var drawn = ""
        repeat {
            drawn = "sluice-" + String(UInt128.random(in: 0...UInt128.max, using: &chance), radix: 36)
        } while parts.contains { Self.holds($0.content, Array(drawn.utf8)) }
        boundary = drawn
    }

    /// What `Content-Type` says of the form.
    public var mediaType: String { "multipart/form-data; boundary=\(boundary)" }

    /// The whole content, with the delimiter that closes it: bytes where all parts are at hand, else a stream.
    public var body: CallBody {
        let pieces = pieces
        guard parts.contains(where: \.isStreamed) else { return .bytes(pieces.flatMap(\.bytes)) }
        return .stream(length: MultipartBytes.length(of: pieces), MultipartBytes(pieces))
    }

    private var pieces: [MultipartBytes.Piece] {
        var pieces: [MultipartBytes.Piece] = []
        var between = Array("--\(boundary)\r\n".utf8)
        for part in parts {
            pieces.append(.bytes(between + part.head))
            switch part.content {
            case .none: break
            case .bytes(let bytes): pieces.append(.bytes(bytes))
            case .stream(let length, let stream): pieces.append(.stream(part.name, length: length, stream))
            }
            between = Array("\r\n--\(boundary)\r\n".utf8)
        }
        let end = parts.isEmpty ? "--\(boundary)--\r\n" : "\r\n--\(boundary)--\r\n"
        pieces.append(.bytes(Array(end.utf8)))
        return pieces
    }

    private static func holds(_ content: CallBody, _ wanted: [UInt8]) -> Bool {
        guard case .bytes(let bytes) = content, bytes.count >= wanted.count else { return false }
        return bytes.indices.dropLast(wanted.count - 1).contains { start in
            bytes[start] == wanted[0] && bytes[start..<(start + wanted.count)].elementsEqual(wanted)
        }
    }
}

extension MultipartForm.Part {
    fileprivate var isStreamed: Bool {
        if case .stream = content { true } else { false }
    }
}
