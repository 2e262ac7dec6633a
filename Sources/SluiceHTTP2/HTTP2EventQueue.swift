/// Events of an ``HTTP2Session`` in order; the memory is reused. The session keeps the streams alive.
struct HTTP2EventQueue {
    /// The kinds of entries, which the sessions turn into their own events.
    enum Kind: UInt8 {
        /// A head is filled: a valid one, one that is refused, or that of an interim response.
        case head, refused, interim
        case body, end, room, closed
        /// Events of the whole connection.
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
