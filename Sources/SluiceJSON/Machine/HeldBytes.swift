/// The bytes of the document from an object on whose alternative is not known yet; and the memory of bytes that were
/// released during this call, because pieces may point into it.
struct HeldBytes {
    var bytes = ByteBuffer()
    private var old: [ByteBuffer] = []

    /// Takes the held bytes out, to run over them.
    mutating func take() -> ByteBuffer {
        let taken = bytes
        old.append(taken)
        bytes = ByteBuffer()
        return taken
    }

    mutating func forgetOld() {
        if old.isEmpty { return }
        for buffer in old { buffer.deallocate() }
        old.removeAll()
    }

    mutating func removeAll() {
        forgetOld()
        bytes.removeAll()
    }

    func deallocate() {
        bytes.deallocate()
        for buffer in old { buffer.deallocate() }
    }
}
