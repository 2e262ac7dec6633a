/// How the client's latest streams ended, to distinguish frames that are merely late from frames that are wrong (RFC
/// 9113 §5.1, §5.1.1).
///
/// The library forgets a closed stream and ignores frames for it, because it does not know which side closed it: after
/// our RST_STREAM, frames may still be in flight; after the client's END_STREAM or RST_STREAM, no more may come.
struct HTTP2StreamHistory {
    private static let span = 512
    /// For each of the last 512 identifiers: whether a stream was opened, and whether the client has ended that stream.
    private var opened = SIMD8<UInt64>()
    private var ended = SIMD8<UInt64>()
    /// Highest identifier that the client has opened.
    private(set) var last: Int32 = 0

    enum Verdict {
        /// The stream is idle or open, was not ended by the client, or is no longer remembered.
        case fine
        /// The client skipped this identifier, so that the stream is closed without having been used.
        case skipped
        /// The client has ended this stream itself.
        case ended
    }

    mutating func open(_ id: Int32) {
        guard id > last else { return }
        let first = last == 0 ? 0 : Int(last >> 1) + 1
        let place = Int(id >> 1)
        for place in max(first, place - Self.span + 1)...place { clear(place) }
        last = id
        opened[place >> 6 & 7] |= 1 << (place & 63)
    }

    mutating func end(_ id: Int32) {
        guard remembers(id) else { return }
        let place = Int(id >> 1)
        ended[place >> 6 & 7] |= 1 << (place & 63)
    }

    func verdict(_ id: Int32) -> Verdict {
        guard remembers(id) else { return .fine }
        let place = Int(id >> 1)
        let bit: UInt64 = 1 << (place & 63)
        if opened[place >> 6 & 7] & bit == 0 { return .skipped }
        return ended[place >> 6 & 7] & bit != 0 ? .ended : .fine
    }

    private func remembers(_ id: Int32) -> Bool {
        id <= last && id & 1 == 1 && Int(last >> 1) - Int(id >> 1) < Self.span
    }

    private mutating func clear(_ place: Int) {
        opened[place >> 6 & 7] &= ~(1 << (place & 63))
        ended[place >> 6 & 7] &= ~(1 << (place & 63))
    }
}
