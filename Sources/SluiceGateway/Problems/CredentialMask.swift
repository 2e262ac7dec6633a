internal import SluiceCache
internal import SluiceSigning

/// Takes credentials out of texts that an upstream wrote: an API that echoes what it was sent must not put a token into
/// a problem, a log or a record.
///
/// A credential is found as it is, percent-encoded, with JSON's escapes, in Base64 of either alphabet (alone or inside
/// something longer), and in part: a text that quotes an answer may have cut it. No good answer pays for any of this.
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
        needles += ([Spelling(bytes).bytes] + Self.base64(of: bytes)).compactMap(Needle.init)
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
        let spelling = Spelling(text.utf8)
        var isMasked = [Bool](repeating: false, count: spelling.bytes.count)
        for needle in needles { mark(needle, in: spelling.bytes, &isMasked) }
        guard isMasked.contains(true) else { return text }
        var shown: [UInt8] = []
        let original = Array(text.utf8)
        for index in isMasked.indices {
            if !isMasked[index] {
                shown += original[spelling.starts[index]..<spelling.starts[index + 1]]
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

    /// A text with percent-encoding and JSON's escapes undone and one alphabet of Base64 in the place of two.
    private struct Spelling {
        private(set) var bytes: [UInt8] = []
        /// Where each byte comes from, and the end.
        private(set) var starts: [Int] = []

        init(_ text: some Sequence<UInt8>) {
            let text = Array(text)
            var position = 0
            while position < text.count {
                let (byte, count) = Self.unit(text[position...])
                bytes.append(
                    byte == UInt8(ascii: "-") ? UInt8(ascii: "+") : byte == UInt8(ascii: "_") ? UInt8(ascii: "/") : byte
                )
                starts.append(position)
                position += count
            }
            starts.append(text.count)
        }

        /// The first byte that `rest` stands for, and of how many it is written.
        private static func unit(_ rest: ArraySlice<UInt8>) -> (byte: UInt8, count: Int) {
            let start = rest.startIndex
            switch rest[start] {
            case UInt8(ascii: "%"):
                if let byte = hexadecimal(rest.dropFirst().prefix(2), digits: 2) { return (byte, 3) }
            case UInt8(ascii: "\\") where rest.count > 1:
                if rest[start + 1] != UInt8(ascii: "u") { return (rest[start + 1], 2) }
                if let byte = hexadecimal(rest.dropFirst(2).prefix(4), digits: 4) { return (byte, 6) }
            default: break
            }
            return (rest[start], 1)
        }

        private static func hexadecimal(_ digits: ArraySlice<UInt8>, digits count: Int) -> UInt8? {
            guard digits.count == count, !digits.contains(UInt8(ascii: "+")) else { return nil }
            return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
        }
    }
}
