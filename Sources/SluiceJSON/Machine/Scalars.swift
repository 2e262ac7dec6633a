import CSIMD

/// Quick looks at numbers and words that are wholly in the chunk.
enum Scalars {
    /// Whether a scalar may end before this byte: nothing between it and the next place of the list is unlooked at.
    @inline(__always)
    static func mayEnd(before byte: UInt8) -> Bool {
        sluice_json_may_end(byte)
    }

    /// Length of the word at `p`; 0 where there is none, or where it has to be looked at letter by letter.
    @inline(__always)
    static func wordLength(_ p: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Int {
        end - p < 5 ? 0 : Int(sluice_json_word(p))
    }
}
