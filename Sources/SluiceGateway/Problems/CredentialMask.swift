internal import SluiceCache
internal import SluiceSigning

/// Takes credentials out of texts that an upstream wrote: an API that echoes what it was sent must not put a token into
/// a problem, a log or a record.
///
/// A credential is found as it is, percent-encoded, with JSON's escapes, in several of these on top of each other, in
/// Base64 of either alphabet (alone or inside something longer), and in part: a text that quotes an answer may have cut
/// it. One that holds such escapes itself is looked for as it is and without them. No good answer pays for any of this.
struct CredentialMask: Sendable {
    /// What stands in the place of a credential.
    private static let mask = Array("***".utf8)
    /// So many bytes in a row that are a credential's are taken for a piece of it; a shorter credential counts whole.
    private static let pieceCount = 12
    /// Nothing shorter is looked for: it would blank words, and is no secret.
    static let credentialCountMin = 4
    /// A session's number is longer; what a page keeps in cookies besides is words.
    static let cookieCountMin = 8
    /// Of longer ones the beginning is looked for: what a client may send for a token is not to keep a loop busy.
    private static let credentialCountMax = 4096

    /// One spelling of a credential.
    private struct Needle: Sendable {
        let bytes: SecretBytes
        /// Every piece of it, by a hash that tells nothing of it; none where it counts whole.
        let pieces: Set<UInt64>
        /// How pieces may begin: most places of a text are no beginning of one, and are found out here.
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

        /// Whether a piece may begin there; that it does is still to be found out.
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

    /// What a field says: a scheme and the credentials behind it (RFC 9110 §11.4), or credentials alone.
    mutating func insert(field value: some Collection<UInt8>) {
        let words = value.split(separator: UInt8(ascii: " "), maxSplits: 1)
        if let credentials = words.last, words.count == 2 || !Self.schemes.contains(where: credentials.elementsEqual) {
            insert(credentials)
        }
    }

    private static let schemes = ["Basic", "Bearer", "Digest", "Negotiate"].map { Array($0.utf8) }

    /// What either of them takes out.
    func joined(with other: CredentialMask) -> CredentialMask {
        var joined = self
        joined.needles += other.needles
        return joined
    }

    /// The bytes of a piece in one number: two pieces have the same one by chance alone.
    private static func piece(of bytes: [UInt8], at start: Int) -> UInt64 {
        bytes.withUnsafeBytes { bytes in
            var hash = SipHash(hashKey.0, hashKey.1)
            hash.combine(bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
            hash.combine(UInt64(bytes.loadUnaligned(fromByteOffset: start + 8, as: UInt32.self)))
            return hash.finish().0
        }
    }

    /// 512 bits.
    private static let beginningWords = 8

    /// Two bytes and a key of this process in one small number, which many pairs of bytes share.
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

    /// What Base64 of anything that holds `bytes` has in it: one run for each place that they can begin at within a
    /// group of three (RFC 4648 §4), without the characters that its neighbours have a part in.
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

    /// A text with one alphabet of Base64 in the place of two.
    private struct Spelling {
        private(set) var bytes: [UInt8] = []
        /// Where in the text each byte comes from, and the end.
        private(set) var starts: [Int] = [0]

        /// No encoder nests more layers of escapes than this.
        private static let levelsMax = 4

        private init() {}

        /// The text as it is, and with one layer of percent-encoding and JSON's escapes after the other undone.
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

        /// - Returns: nil where there is nothing to undo.
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

    /// A byte, or a character, that is written in another way.
    private struct Escape {
        enum Meaning {
            case byte(UInt8)
            case scalar(Unicode.Scalar)
        }

        let meaning: Meaning
        /// Of how many bytes it is written.
        let count: Int

        /// - Parameter rest: begins with it; nil where it begins with a byte that is one.
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
