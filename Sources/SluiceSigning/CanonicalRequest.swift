internal import SluiceContract

/// A request in the canonical form that both signer and verifier of an AWS signature derive ("Create a canonical
/// request", IAM User Guide).
struct CanonicalRequest {
    /// The canonical request, which is then hashed.
    private(set) var text: [UInt8] = []
    /// `host;x-amz-date`.
    private(set) var signedNames: [UInt8] = []
    /// `20150830T123600Z`.
    let date: [UInt8]
    /// 64 digits, or `UNSIGNED-PAYLOAD`.
    let contentHash: [UInt8]

    init(_ request: RequestToSign, _ signer: SignatureV4, _ payload: SignatureV4.Payload, date: [UInt8]) {
        self.date = date
        contentHash = Self.contentHash(payload)
        let fieldBytes = request.fields.reduce(400) { $0 + $1.name.count * 2 + $1.value.count }
        text.reserveCapacity(request.target.count * 3 + fieldBytes)
        text += request.method
        text.append(UInt8(ascii: "\n"))
        switch signer.pathStyle {
        case .object: appendEncodedOnce(request.path)
        case .normalised: appendNormalised(request.path)
        }
        text.append(UInt8(ascii: "\n"))
        append(query: request.query)
        text.append(UInt8(ascii: "\n"))
        append(Self.sorted(request, date, signer, signer.sendsContentHash(payload) ? contentHash : nil))
        text.append(UInt8(ascii: "\n"))
        text += signedNames
        text.append(UInt8(ascii: "\n"))
        text += contentHash
    }

    private static func contentHash(_ payload: SignatureV4.Payload) -> [UInt8] {
        switch payload {
        case .unsigned: return Array("UNSIGNED-PAYLOAD".utf8)
        case .digest(let digest):
            var text: [UInt8] = []
            text.reserveCapacity(digest.count * 2)
            Hexadecimal.append(digest, to: &text)
            return text
        }
    }
}

// MARK: Path and query

extension CanonicalRequest {
    private mutating func appendEncodedOnce(_ path: UnsafeRawBufferPointer) {
        if path.isEmpty { text.append(UInt8(ascii: "/")) }
        Self.appendEncodedOnce(path[...], leaving: UInt8(ascii: "/"), to: &text)
    }

    /// Every segment is written with a slash after it, which `..` looks for when it removes one; an encoded segment
    /// holds no slash.
    private mutating func appendNormalised(_ path: UnsafeRawBufferPointer) {
        text.append(UInt8(ascii: "/"))
        let start = text.count
        for segment in path.split(separator: UInt8(ascii: "/")) {
            let isDots = segment.count <= 2 && segment.allSatisfy { $0 == UInt8(ascii: ".") }
            guard !isDots else {
                if segment.count == 2, text.count > start {
                    text.removeLast()
                    while text.last != UInt8(ascii: "/") { text.removeLast() }
                }
                continue
            }
            for byte in segment { Self.appendEncoded(byte, to: &text) }
            text.append(UInt8(ascii: "/"))
        }
        if text.count > start, path.last != UInt8(ascii: "/") { text.removeLast() }
    }

    private mutating func append(query: UnsafeRawBufferPointer) {
        guard !query.isEmpty else { return }
        var pairs = CanonicalPairs(room: query.count * 3)
        for piece in query.split(separator: UInt8(ascii: "&")) {
            let nameEnd = piece.firstIndex(of: UInt8(ascii: "=")) ?? piece.endIndex
            pairs.append {
                Self.appendEncodedOnce(piece[..<nameEnd], plusIsSpace: true, to: &$0)
            } value: {
                Self.appendEncodedOnce(piece[nameEnd...].dropFirst(), plusIsSpace: true, to: &$0)
            }
        }
        pairs.sortByNameAndValue()
        let start = text.count
        pairs.forEach { name, value, _ in
            if text.count > start { text.append(UInt8(ascii: "&")) }
            text += name
            text.append(UInt8(ascii: "="))
            text += value
        }
    }

    /// Encodes `bytes` as AWS requires. Bytes that are percent-encoded already are not encoded twice.
    /// - Parameters:
    ///   - leaving: a separator that is not encoded.
    ///   - plusIsSpace: whether `+` means a space, as verifiers read it in queries.
    private static func appendEncodedOnce(
        _ bytes: Slice<UnsafeRawBufferPointer>, leaving separator: UInt8? = nil, plusIsSpace: Bool = false,
        to text: inout [UInt8]
    ) {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "%"), index + 2 <= bytes.endIndex,
                let high = value(bytes[index]), let low = value(bytes[index + 1])
            {
                appendEncoded(high << 4 | low, to: &text)
                index += 2
            } else if byte == separator {
                text.append(byte)
            } else {
                appendEncoded(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte, to: &text)
            }
        }
    }

    /// Unreserved characters stay as they are; all others are encoded with upper-case digits (RFC 3986 §2.1, §2.3).
    private static func appendEncoded(_ byte: UInt8, to text: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            text.append(byte)
        default:
            text.append(UInt8(ascii: "%"))
            text.append(digit(byte >> 4))
            text.append(digit(byte & 15))
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? value + 0x30 : value + 0x37 }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - 0x30
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - 0x37
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - 0x57
        default: nil
        }
    }
}

// MARK: Fields

extension CanonicalRequest {
    /// Fields that the signer writes itself; the caller's fields of these names are ignored.
    private static let ownNames: [[UInt8]] = [
        "authorization", "host", "x-amz-content-sha256", "x-amz-date", "x-amz-security-token",
    ].map { Array($0.utf8) }

    private static func sorted(
        _ request: RequestToSign, _ date: [UInt8], _ signer: SignatureV4, _ contentHash: [UInt8]?
    ) -> CanonicalPairs {
        var pairs = CanonicalPairs(room: request.fields.reduce(300) { $0 + $1.name.count + $1.value.count })
        for field in request.fields where !ownNames.contains(where: field.isNamed) {
            pairs.append {
                for byte in field.name { $0.append(byte.lowercased) }
            } value: {
                appendTrimmed(field.value, to: &$0)
            }
        }
        pairs.append {
            $0 += "host".utf8
        } value: {
            appendTrimmed(request.host, to: &$0)
        }
        pairs.append {
            $0 += "x-amz-date".utf8
        } value: {
            $0 += date
        }
        if let contentHash {
            pairs.append {
                $0 += "x-amz-content-sha256".utf8
            } value: {
                $0 += contentHash
            }
        }
        if let token = signer.sessionToken {
            pairs.append {
                $0 += "x-amz-security-token".utf8
            } value: { value in
                token.withUnsafeBytes { value += $0 }
            }
        }
        pairs.sortByName()
        return pairs
    }

    /// Appends the fields; the values of one name are joined on one line.
    private mutating func append(_ fields: CanonicalPairs) {
        fields.forEach { name, value, isRepeated in
            if isRepeated {
                text[text.count - 1] = UInt8(ascii: ",")
            } else {
                if !signedNames.isEmpty { signedNames.append(UInt8(ascii: ";")) }
                signedNames += name
                text += name
                text.append(UInt8(ascii: ":"))
            }
            text += value
            text.append(UInt8(ascii: "\n"))
        }
    }

    /// Drops blanks at both ends, and reduces runs of blanks to one space, also within quotes.
    private static func appendTrimmed(_ value: UnsafeRawBufferPointer, to text: inout [UInt8]) {
        let start = text.count
        var isBlankDue = false
        for byte in value {
            if byte == 0x20 || byte == 0x09 {
                isBlankDue = text.count > start
            } else {
                if isBlankDue { text.append(0x20) }
                isBlankDue = false
                text.append(byte)
            }
        }
    }
}
