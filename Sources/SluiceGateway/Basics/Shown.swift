/// Foreign texts, as problems show them.
enum Shown {
    /// At most so many bytes, with `…` where there are more; a character that the cut would split is left out.
    static func text(_ bytes: UnsafeRawBufferPointer, most: Int = 64) -> String {
        if bytes.count <= most { return String(decoding: bytes, as: UTF8.self) }
        var count = most
        while count > 0, bytes[count] & 0xC0 == 0x80 { count -= 1 }
        return String(decoding: bytes.prefix(count), as: UTF8.self) + "…"
    }
}
