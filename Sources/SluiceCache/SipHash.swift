/// SipHash-2-4 with a 128-bit result: names entries and makes the strong validators of slices.
///
/// It is chosen over SHA-256 because it is a page long, needs no library and costs one and a half cycles a byte. Its
/// key is secret where clients choose the input (cache keys), so that no client can aim at another's entry. For
/// validators the key is fixed, so that they survive a restart: only the upstream could make two slices collide, and it
/// decides their content anyway.
public struct SipHash {
    private var v0: UInt64
    private var v1: UInt64
    private var v2: UInt64
    private var v3: UInt64
    private var tail: UInt64 = 0
    private var count = 0

    public init(_ k0: UInt64, _ k1: UInt64) {
        v0 = 0x736f_6d65_7073_6575 ^ k0
        v1 = 0x646f_7261_6e64_6f6d ^ k1 ^ 0xee
        v2 = 0x6c79_6765_6e65_7261 ^ k0
        v3 = 0x7465_6462_7974_6573 ^ k1
    }

    @inline(__always)
    private mutating func round() {
        v0 &+= v1
        v1 = (v1 &<< 13 | v1 &>> 51) ^ v0
        v0 = v0 &<< 32 | v0 &>> 32
        v2 &+= v3
        v3 = (v3 &<< 16 | v3 &>> 48) ^ v2
        v0 &+= v3
        v3 = (v3 &<< 21 | v3 &>> 43) ^ v0
        v2 &+= v1
        v1 = (v1 &<< 17 | v1 &>> 47) ^ v2
        v2 = v2 &<< 32 | v2 &>> 32
    }

    @inline(__always)
    private mutating func word(_ word: UInt64) {
        v3 ^= word
        round()
        round()
        v0 ^= word
    }

    public mutating func combine(_ value: UInt64) {
        withUnsafeBytes(of: value.littleEndian) { combine($0) }
    }

    /// Adds a run of bytes that others follow, with its length, so that bytes cannot move from the end of one run to
    /// the beginning of the next.
    public mutating func combine(run bytes: UnsafeRawBufferPointer) {
        combine(UInt64(bytes.count))
        combine(bytes)
    }

    public mutating func combine(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        var index = 0
        while count & 7 != 0, index < bytes.count {
            byte(bytes[index])
            index += 1
        }
        while index + 8 <= bytes.count {
            word(UInt64(littleEndian: base.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
            index += 8
            count += 8
        }
        while index < bytes.count {
            byte(bytes[index])
            index += 1
        }
    }

    @inline(__always)
    private mutating func byte(_ byte: UInt8) {
        tail |= UInt64(byte) &<< UInt64((count & 7) * 8)
        count += 1
        if count & 7 == 0 {
            word(tail)
            tail = 0
        }
    }

    public consuming func finish() -> (UInt64, UInt64) {
        word(tail | UInt64(truncatingIfNeeded: count) &<< 56)
        v2 ^= 0xee
        for _ in 0..<4 { round() }
        let first = v0 ^ v1 ^ v2 ^ v3
        v1 ^= 0xdd
        for _ in 0..<4 { round() }
        return (first, v0 ^ v1 ^ v2 ^ v3)
    }
}
