/// Ways to cut a message: whole, in two at every point, byte by byte.
public enum Cuts {
    public static func all(_ bytes: [UInt8]) -> [[ArraySlice<UInt8>]] {
        let inTwo = (1..<max(1, bytes.count)).map { [bytes[..<$0], bytes[$0...]] }
        return [[bytes[...]]] + inTwo + [bytes.indices.map { bytes[$0...$0] }]
    }

    /// Lends a copy of `piece` that is overwritten afterwards, so that whoever kept a pointer reads rubbish.
    public static func lend(_ piece: ArraySlice<UInt8>, _ body: (UnsafeRawBufferPointer) -> Void) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: piece.count, alignment: 1)
        copy.copyBytes(from: piece)
        body(UnsafeRawBufferPointer(copy))
        for index in copy.indices { copy[index] = 0xff }
        copy.deallocate()
    }
}
