/// Events of an ``HTTP2Session`` in their order; the memory is used again. The streams are the session's to keep.
struct HTTP2EventQueue {
    /// What the sessions make their events of.
    enum Kind: UInt8 {
        /// A head is filled: one to go on with, one that is refused, one that is not the last.
        case head, refused, interim
        case body, end, room, closed
        /// Of the connection as a whole.
        case pong, settings, goaway
    }

    struct Entry {
        var kind: Kind
        var stream: Unmanaged<HTTP2SessionStream>?
        var base: UnsafeRawPointer?
        var count = 0
    }

    private var entries: [Entry] = []
    private var head = 0

    mutating func append(_ kind: Kind) { entries.append(Entry(kind: kind)) }

    mutating func append(_ kind: Kind, _ stream: HTTP2SessionStream) {
        entries.append(Entry(kind: kind, stream: .passUnretained(stream)))
    }

    mutating func body(_ stream: HTTP2SessionStream, _ base: UnsafeRawPointer, _ count: Int) {
        entries.append(Entry(kind: .body, stream: .passUnretained(stream), base: base, count: count))
    }

    mutating func next() -> Entry? {
        guard head < entries.count else {
            if head > 0 {
                entries.removeAll(keepingCapacity: true)
                head = 0
            }
            return nil
        }
        defer { head += 1 }
        return entries[head]
    }
}
