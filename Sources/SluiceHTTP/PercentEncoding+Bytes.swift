extension PercentEncoding {
    /// The encoded bytes as a new array; for load time and forms.
    public static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        // All arrays of capacity 0 share one object, whose count the initialiser below would write: a race between
        // threads.
        if bytes.isEmpty { return [] }
        return [UInt8](unsafeUninitializedCapacity: bytes.count * 3) { buffer, count in
            count = bytes.withUnsafeBytes { encode($0, as: .queryValue, into: UnsafeMutableRawBufferPointer(buffer)) }
        }
    }

    /// The decoded bytes as a new array; nil where a `%` stands without its two digits.
    public static func decoded(_ bytes: UnsafeRawBufferPointer, plusIsSpace: Bool) -> [UInt8]? {
        if bytes.isEmpty { return [] }
        var isWellFormed = true
        let decoded = [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
            let written = decode(bytes, plusIsSpace: plusIsSpace, into: UnsafeMutableRawBufferPointer(buffer))
            isWellFormed = written != nil
            count = written ?? 0
        }
        return isWellFormed ? decoded : nil
    }

    /// Decodes unreserved characters only, which never need encoding (RFC 3986 §6.2.2.2), so that equal paths compare
    /// equal; every other `%xx` stays as it is.
    public static func decodeUnreserved(_ bytes: UnsafeRawBufferPointer, into buffer: UnsafeMutableRawBufferPointer)
        -> Int
    {
        var read = 0
        var written = 0
        while read < bytes.count {
            var byte = bytes[read]
            var step = 1
            if byte == UInt8(ascii: "%"), read + 2 < bytes.count,
                let high = bytes[read + 1].hexadecimalValue, let low = bytes[read + 2].hexadecimalValue,
                isUnreserved(high << 4 | low)
            {
                byte = high << 4 | low
                step = 3
            }
            buffer[written] = byte
            written += 1
            read += step
        }
        return written
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
