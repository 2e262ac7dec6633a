import CSIMD

/// Checks that bytes are well-formed UTF-8 (Unicode 15, table 3-7), across chunks.
struct UTF8Check {
    /// How many continuation bytes the current sequence still needs.
    private var missing = 0
    /// How many bytes of the current sequence are in earlier chunks.
    private var carried = 0
    /// The range of the next continuation byte.
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    /// Whether no sequence is incomplete.
    var isComplete: Bool { missing == 0 }

    /// - Parameter kernel: finds a prefix that is surely well-formed, many bytes at a time.
    /// - Returns: where the first ill-formed sequence begins, relative to `start`; negative if that is in an earlier
    ///   chunk; nil if there is none.
    mutating func advance(_ start: BytePointer, _ count: Int, _ kernel: sluice_json_kernel) -> Int? {
        var index = 0
        var sequence = -carried
        var isAhead = count < 64
        while index < count {
            if missing == 0 {
                if !isAhead {
                    // Asking the kernel once is enough: it stops only shortly before an error or the chunk's end.
                    isAhead = true
                    index += kernel.utf8_prefix(start + index, count - index)
                }
                index = Self.skipASCII(start, index, count)
                if index == count { break }
                sequence = index
                guard lead(start[index]) else { return index }
            } else {
                let byte = start[index]
                guard byte >= lowest, byte <= highest else { return sequence }
                lowest = 0x80
                highest = 0xBF
                missing -= 1
            }
            index += 1
        }
        carried = missing == 0 ? 0 : count - sequence
        return nil
    }

    private mutating func lead(_ byte: UInt8) -> Bool {
        lowest = 0x80
        highest = 0xBF
        switch byte {
        case 0xC2...0xDF: missing = 1
        case 0xE0...0xEF:
            missing = 2
            if byte == 0xE0 { lowest = 0xA0 }
            if byte == 0xED { highest = 0x9F }
        case 0xF0...0xF4:
            missing = 3
            if byte == 0xF0 { lowest = 0x90 }
            if byte == 0xF4 { highest = 0x8F }
        default: return false
        }
        return true
    }

    private static func skipASCII(_ start: BytePointer, _ from: Int, _ count: Int) -> Int {
        var index = from
        let raw = UnsafeRawPointer(start)
        while count - index >= 8 {
            let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080
            if word != 0 { return index + UInt64(littleEndian: word).trailingZeroBitCount / 8 }
            index += 8
        }
        while index < count, start[index] < 0x80 { index += 1 }
        return index
    }
}
