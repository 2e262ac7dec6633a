/// A form of several parts (RFC 7578).
public struct MultipartForm: Sendable {
    /// One field or file.
    public struct Part: Sendable {
        public var name: String
        public var filename: String?
        public var mediaType: String?
        public var bytes: [UInt8]

        /// A field with a text.
        public init(name: String, text: String) {
            self.name = name
            bytes = Array(text.utf8)
        }

        /// A file.
        public init(name: String, filename: String, mediaType: String = "application/octet-stream", bytes: [UInt8]) {
            self.name = name
            self.filename = filename
            self.mediaType = mediaType
            self.bytes = bytes
        }

        /// The part behind its delimiter (RFC 2046 §5.1.1).
        fileprivate var content: [UInt8] {
            var head = "Content-Disposition: form-data; name=\"\(Self.quoted(name))\""
            if let filename { head += "; filename=\"\(Self.quoted(filename))\"" }
            if let mediaType { head += "\r\nContent-Type: \(mediaType.filter { !$0.isNewline })" }
            return Array("\(head)\r\n\r\n".utf8) + bytes
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

    public var parts: [Part]
    /// What stands between the parts; it occurs in none of them.
    public let boundary: String

    /// A form of parts; its boundary is drawn until none of them has it inside.
    public init(_ parts: [Part]) {
        var chance = SystemRandomNumberGenerator()
        self.init(parts, using: &chance)
    }

    init(_ parts: [Part], using chance: inout some RandomNumberGenerator) {
        self.parts = parts
        var drawn = ""
        repeat {
            drawn = "sluice-" + String(UInt64.random(in: 0...UInt64.max, using: &chance), radix: 36)
        } while parts.contains { Self.holds($0.bytes, Array(drawn.utf8)) }
        boundary = drawn
    }

    public var mediaType: String { "multipart/form-data; boundary=\(boundary)" }

    /// The whole content, with the delimiter that closes it. It is put together in memory: larger files go as bytes
    /// that are streamed (``RawRequest``).
    public var bytes: [UInt8] {
        let delimiter = "--\(boundary)"
        var bytes: [UInt8] = []
        for part in parts {
            bytes += "\(delimiter)\r\n".utf8
            bytes += part.content
            bytes += "\r\n".utf8
        }
        bytes += "\(delimiter)--\r\n".utf8
        return bytes
    }

    private static func holds(_ bytes: [UInt8], _ wanted: [UInt8]) -> Bool {
        guard bytes.count >= wanted.count else { return false }
        return bytes.indices.dropLast(wanted.count - 1).contains { start in
            bytes[start] == wanted[0] && bytes[start..<(start + wanted.count)].elementsEqual(wanted)
        }
    }
}
