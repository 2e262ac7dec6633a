internal import SluiceCache
internal import SluiceSigning

/// Removes credentials from texts that an upstream wrote: an API that echoes a request must not put a token into a
/// problem, a log or a recording.
///
/// A credential is found as it is, percent-encoded, with JSON's escapes, with several layers of these, in Base64 of
/// either alphabet (alone or inside something longer), and in part: a text that quotes an answer may have cut it. A
/// credential that contains such escapes itself is searched for with and without them. Successful answers cost nothing
/// of this.
struct CredentialMask: Sendable {
    /// Replaces a credential.
    private static let mask = Array("***".utf8)
    /// So many consecutive bytes of a credential count as a piece of it; a shorter credential has to match as a whole.
    private static let pieceCount = 12
    /// Shorter ones are not searched for: they would blank out ordinary words, and are no secrets.
    static let credentialCountMin = 4
    /// Session identifiers are longer; other values of cookies are often plain words.
    static let cookieCountMin = 8
    /// Only the beginning of longer ones is searched for, so that a huge token from a client does not keep a loop busy.
    private static let credentialCountMax = 4096

    /// One spelling of a credential.
    private struct Needle: Sendable {
        let bytes: SecretBytes
        /// Hashes of all pieces, which do not reveal them; empty where the credential has to match as a whole.
        let pieces: Set<UInt64>
        /// A bit set of how pieces may begin: rules out most places of a text cheaply.
        let beginnings: [UInt64]

        init?(_ bytes: [UInt8]) {
            guard bytes.count >= credentialCountMin else { return nil }
            self.bytes = SecretBytes(bytes)
            guard bytes.count >= CredentialMask.pieceCount else {
                (pieces, beginnings) = ([], [])
                return
            }
            let starts = 0...bytes.count - CredentialMask.pieceCount
            pieces = Set(starts.map { CredentialMask.piece(of: bytes, at: $0) })
            var beginnings = [UInt64](repeating: 0, count: CredentialMask.beginningWords)
            for start in starts {
                let bit = CredentialMask.beginning(of: bytes, at: start)
                beginnings[bit / 64] |= 1 << (bit % 64)
            }
            self.beginnings = beginnings
        }

        /// Whether a piece may begin at this place; the hash decides.
        func mayBegin(in text: [UInt8], at start: Int) -> Bool {
            let bit = CredentialMask.beginning(of: text, at: start)
            return beginnings[bit / 64] & 1 << (bit % 64) != 0
        }
    }

    private var needles: [Needle] = []

    var isEmpty: Bool { needles.isEmpty }

    /// - Parameter credential: as it is sent, without its scheme.
    mutating func insert(_ credential: some Sequence<UInt8>) {
        let bytes = Array(credential.prefix(Self.credentialCountMax))
        guard bytes.count >= Self.credentialCountMin else { return }
        var spellings = Self.base64(of: bytes)
        Spelling.forEachLevel(of: bytes) { spellings.append($0.bytes) }
        needles += spellings.compactMap(Needle.init)
    }

    /// Inserts the value of a field: a scheme and credentials (RFC 9110 §11.4), or credentials alone.
    mutating func insert(field value: some Collection<UInt8>) {
        let words = value.split(separator: UInt8(ascii: " "), maxSplits: 1)
        if let credentials = words.last, words.count == 2 || !Self.schemes.contains(where: credentials.elementsEqual) {
            insert(credentials)
        }
    }

    private static let schemes = ["Basic", "Bearer", "Digest", "Negotiate"].map { Array($0.utf8) }

    /// A mask for the credentials of both.
    func joined(with other: CredentialMask) -> CredentialMask {
        var joined = self
        joined.needles += other.needles
        return joined
    }

    /// A hash of a piece; different pieces have the same one only by chance.
    private static func piece(of bytes: [UInt8], at start: Int) -> UInt64 {
        bytes.withUnsafeBytes { bytes in
            var hash = SipHash(hashKey.0, hashKey.1)
            hash.combine(bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
            hash.combine(UInt64(bytes.loadUnaligned(fromByteOffset: start + 8, as: UInt32.self)))
            return hash.finish().0
        }
    }

    /// 512 bits, as words.
    private static let beginningWords = 8

    /// A number from 0 to 511 for two bytes, keyed for this process; many pairs of bytes share one.
    private static func beginning(of bytes: [UInt8], at start: Int) -> Int {
        let pair = UInt64(bytes[start]) << 8 | UInt64(bytes[start + 1])
        return Int(((pair &+ 1) &* (hashKey.0 | 1)) >> 55)
    }

    private static let hashKey = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))

    /// `text` with `***` for every credential in it, and for the beginning of one where `text` was cut (`…`).
    func applied(to text: String) -> String {
        if isEmpty { return text }
        let original = Array(text.utf8)
        var isMasked = [Bool](repeating: false, count: original.count)
        Spelling.forEachLevel(of: original) { spelling in
            var isFound = [Bool](repeating: false, count: spelling.bytes.count)
            for needle in needles { mark(needle, in: spelling.bytes, &isFound) }
            for index in isFound.indices where isFound[index] {
                for place in spelling.starts[index]..<spelling.starts[index + 1] { isMasked[place] = true }
            }
        }
        guard isMasked.contains(true) else { return text }
        var shown: [UInt8] = []
        for index in isMasked.indices {
            if !isMasked[index] {
                shown.append(original[index])
            } else if index == 0 || !isMasked[index - 1] {
                shown += Self.mask
            }
        }
        return String(decoding: shown, as: UTF8.self)
    }

    private func mark(_ needle: Needle, in text: [UInt8], _ isMasked: inout [Bool]) {
        needle.bytes.withUnsafeBytes { mark($0, needle, in: text, &isMasked) }
    }

    private func mark(
        _ needle: UnsafeRawBufferPointer, _ facts: Needle, in text: [UInt8], _ isMasked: inout [Bool]
    ) {
        let count = min(needle.count, Self.pieceCount)
        guard text.count >= Self.credentialCountMin else { return }
        for start in 0..<max(text.count - count + 1, 0) {
            let isPiece =
                facts.pieces.isEmpty
                ? text[start] == needle[0] && text[start..<start + count].elementsEqual(needle)
                : facts.mayBegin(in: text, at: start)
                    && facts.pieces.contains(Self.piece(of: text, at: start))
            if isPiece { for index in start..<start + count { isMasked[index] = true } }
        }
        for end in text.indices where text[end] == Self.ellipsis[0] && text[end...].starts(with: Self.ellipsis) {
            for length in (Self.credentialCountMin..<max(count, Self.credentialCountMin)).reversed() where length <= end
            {
                guard text[end - length..<end].elementsEqual(needle.prefix(length)) else { continue }
                for index in end - length..<end { isMasked[index] = true }
                break
            }
        }
    }

    private static let ellipsis = Array("…".utf8)

    /// The characters that every Base64 text with `bytes` in it contains: one run for each position within a group of
    /// three at which they may begin (RFC 4648 §4), without the characters that depend on their neighbours.
    private static func base64(of bytes: [UInt8]) -> [[UInt8]] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        return (0..<3).map { shift in
            let padded = [UInt8](repeating: 0, count: shift) + bytes
            let characters = (shift * 8 + 5) / 6..<padded.count * 8 / 6
            return characters.map { character in
                let bit = character * 6
                let high = UInt16(padded[bit / 8]) << 8
                let low = bit / 8 + 1 < padded.count ? UInt16(padded[bit / 8 + 1]) : 0
                return alphabet[Int((high | low) >> (10 - UInt16(bit % 8))) & 63]
            }
        }
    }

    /// A text in which both alphabets of Base64 are written as one.
    private struct Spelling {
        private(set) var bytes: [UInt8] = []
        /// The offset in the original text of each byte, and of the end.
        private(set) var starts: [Int] = [0]

        /// No encoder nests more layers of escapes than this.
        private static let levelsMax = 4

        private init() {}

        /// The text as it is, and with successive layers of percent-encoding and JSON's escapes decoded.
        static func forEachLevel(of text: [UInt8], _ take: (Spelling) -> Void) {
            var level = Spelling()
            for (index, byte) in text.enumerated() { level.append(byte, upTo: index + 1) }
            take(level)
            for _ in 1..<levelsMax {
                guard let next = level.decoded() else { return }
                level = next
                take(level)
            }
        }

        private mutating func append(_ byte: UInt8, upTo end: Int) {
            switch byte {
            case UInt8(ascii: "-"): bytes.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): bytes.append(UInt8(ascii: "/"))
            default: bytes.append(byte)
            }
            starts.append(end)
        }

        /// - Returns: nil where there is nothing to decode.
        private func decoded() -> Spelling? {
            var result = Spelling()
            var position = 0
            while position < bytes.count {
                guard let escape = Escape(bytes[position...]) else {
                    result.append(bytes[position], upTo: starts[position + 1])
                    position += 1
                    continue
                }
                position += escape.count
                switch escape.meaning {
                case .byte(let byte): result.append(byte, upTo: starts[position])
                case .scalar(let scalar):
                    for byte in String(Character(scalar)).utf8 { result.append(byte, upTo: starts[position]) }
                }
            }
            return result.bytes.count == bytes.count ? nil : result
        }
    }

    /// A byte or character that is written as an escape.
    private struct Escape {
        enum Meaning {
            case byte(UInt8)
            case scalar(Unicode.Scalar)
        }

        let meaning: Meaning
        /// The length of the escape in bytes.
        let count: Int

        /// - Parameter rest: text that may begin with an escape. The result is nil where it does not.
        init?(_ rest: ArraySlice<UInt8>) {
            let start = rest.startIndex
            if rest[start] == UInt8(ascii: "%") {
                guard let code = Self.hexadecimal(rest.dropFirst().prefix(2), count: 2) else { return nil }
                (meaning, count) = (.byte(UInt8(code)), 3)
            } else if rest[start] == UInt8(ascii: "\\"), rest.count > 1 {
                if rest[start + 1] != UInt8(ascii: "u") {
                    (meaning, count) = (.byte(Self.escaped(rest[start + 1])), 2)
                    return
                }
                guard let code = Self.hexadecimal(rest.dropFirst(2).prefix(4), count: 4),
                    let scalar = Unicode.Scalar(code)
                else { return nil }
                (meaning, count) = (.scalar(scalar), 6)
            } else {
                return nil
            }
        }

        /// RFC 8259 §7.
        private static func escaped(_ letter: UInt8) -> UInt8 {
            switch letter {
            case UInt8(ascii: "b"): 0x08
            case UInt8(ascii: "f"): 0x0C
            case UInt8(ascii: "n"): 0x0A
            case UInt8(ascii: "r"): 0x0D
            case UInt8(ascii: "t"): 0x09
            default: letter
            }
        }

        private static func hexadecimal(_ digits: ArraySlice<UInt8>, count: Int) -> UInt32? {
            guard digits.count == count else { return nil }
            var value: UInt32 = 0
            for digit in digits {
                switch digit {
                case 0x30...0x39: value = value << 4 | UInt32(digit - 0x30)
                case 0x41...0x46: value = value << 4 | UInt32(digit - 0x37)
                case 0x61...0x66: value = value << 4 | UInt32(digit - 0x57)
                default: return nil
                }
            }
            return value
        }
    }
}
