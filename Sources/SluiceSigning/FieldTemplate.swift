/// A field value with placeholders: `HMAC {key-id}:{signature}`.
struct FieldTemplate: Sendable {
    /// The values that are known once a request has been signed.
    enum Placeholder: String, CaseIterable {
        case keyID = "key-id"
        case signature, date, nonce
        case bodyHash = "body-hash"
    }

    enum Piece: Equatable {
        case text([UInt8])
        case placeholder(Placeholder)
    }

    let pieces: [Piece]

    var placeholders: [Placeholder] {
        pieces.compactMap { piece in
            guard case .placeholder(let placeholder) = piece else { return nil }
            return placeholder
        }
    }

    init(_ template: String) throws(HTTPSignatureHMACError) {
        guard Self.isValue(template.utf8) else { throw .unsendable(template) }
        var pieces: [Piece] = []
        var rest = template[...]
        while let open = rest.firstIndex(of: "{") {
            if open > rest.startIndex { pieces.append(.text(Array(rest[..<open].utf8))) }
            let behind = rest[rest.index(after: open)...]
            let name = behind.prefix { $0 != "}" }
            guard name.endIndex < behind.endIndex, let placeholder = Placeholder(rawValue: String(name)) else {
                throw .unknownPlaceholder(String(name))
            }
            pieces.append(.placeholder(placeholder))
            rest = behind[behind.index(after: name.endIndex)...]
        }
        if !rest.isEmpty { pieces.append(.text(Array(rest.utf8))) }
        self.pieces = pieces
    }

    /// Whether `bytes` are visible ASCII, with blanks only in between, so that they cannot end a line (RFC 9110 §5.5).
    static func isValue(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { (0x20...0x7e).contains($0) }
            && bytes.first != 0x20 && Array(bytes).last != 0x20
    }

    /// Whether `bytes` are a token (RFC 9110 §5.6.2).
    static func isName(_ bytes: some Collection<UInt8>) -> Bool {
        let separators = Array("\"(),/:;<=>?@[\\]{}".utf8)
        return !bytes.isEmpty && bytes.allSatisfy { (0x21...0x7e).contains($0) && !separators.contains($0) }
    }
}
