import CSIMD
import Testing

/// Every version of the vectorised index lists what a plain loop lists.
@Suite struct JSONIndexTests {
    /// Made of what matters, so that strings, escapes and scalars begin and end everywhere in a block.
    static func bytes(_ seed: UInt64, _ count: Int) -> [UInt8] {
        var random = Seeded(state: seed)
        let telling = Array("\"\"\"\\\\{}[]:,0-.e ta\n\t\u{1}é".utf8) + [0x0C, 0x1A, 0x7F, 0x80]
        return (0..<count).map { _ in
            seed % 2 == 0
                ? telling[Int.random(in: 0..<telling.count, using: &random)] : UInt8.random(in: 0..<128, using: &random)
        }
    }

    static func reference(_ bytes: [UInt8]) -> [Int] {
        var offsets: [Int] = []
        var isInString = false
        var isInScalar = false
        var isEscaped = false
        for (place, byte) in bytes.enumerated() {
            let wasEscaped = isEscaped
            isEscaped = byte == UInt8(ascii: "\\") && !wasEscaped
            if byte == UInt8(ascii: "\""), !wasEscaped {
                isInString.toggle()
                isInScalar = false
                offsets.append(place)
                continue
            }
            // Form feed and SUB share their low bits with a comma and a colon: they are listed each, and refused.
            let isOperator = "{}[]:,\u{0C}\u{1A}".utf8.contains(byte)
            let isScalar = !isOperator && ![0x20, 0x09, 0x0A, 0x0D].contains(byte)
            if isInString {
                if isEscaped || byte < 0x20 { offsets.append(place) }
            } else if isOperator || (isScalar && !isInScalar) {
                offsets.append(place)
            }
            isInScalar = isScalar
        }
        return offsets
    }

    @Test(arguments: Kernel.all.filter { $0.functions.index != nil }, 0..<40)
    func index(_ kernel: Kernel, _ seed: UInt64) throws {
        let bytes = Self.bytes(seed, 4096)
        var offsets = [UInt16](repeating: 0, count: bytes.count + 64)
        var kinds = [UInt8](repeating: 0, count: bytes.count + 64)
        var nonASCII = [Bool](repeating: false, count: bytes.count / 64 + 8)
        let index = try #require(kernel.functions.index)
        let count = index(bytes, bytes.count, &offsets, &kinds, &nonASCII)
        let expected = Self.reference(bytes)
        #expect(offsets.prefix(count).map { Int($0) } == expected)
        #expect(kinds.prefix(count).elementsEqual(expected.map { bytes[$0] }))
        for block in 0..<bytes.count / 64 {
            #expect(nonASCII[block] == bytes[block * 64..<block * 64 + 64].contains { $0 >= 0x80 })
        }
    }
}
