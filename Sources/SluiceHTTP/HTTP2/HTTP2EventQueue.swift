/// Events of an ``HTTP2ServerSession`` in their order; the memory is used again. The streams are the session's to keep.
struct HTTP2EventQueue {
    private enum Kind: UInt8 { case request, refused, body, end, room, closed, pong }

    private struct Entry {
        var kind: Kind
        var stream: Unmanaged<HTTP2ServerStream>?
        var base: UnsafeRawPointer?
        var count = 0
    }

    private var entries: [Entry] = []
    private var head = 0

    mutating func request(_ stream: HTTP2ServerStream) { append(.request, stream) }
    mutating func refused(_ stream: HTTP2ServerStream) { append(.refused, stream) }
    mutating func end(_ stream: HTTP2ServerStream) { append(.end, stream) }
    mutating func room(_ stream: HTTP2ServerStream) { append(.room, stream) }
    mutating func closed(_ stream: HTTP2ServerStream) { append(.closed, stream) }
    mutating func pong() { entries.append(Entry(kind: .pong)) }

    mutating func body(_ stream: HTTP2ServerStream, _ base: UnsafeRawPointer, _ count: Int) {
        entries.append(Entry(kind: .body, stream: .passUnretained(stream), base: base, count: count))
    }

    private mutating func append(_ kind: Kind, _ stream: HTTP2ServerStream) {
        entries.append(Entry(kind: kind, stream: .passUnretained(stream)))
    }

    mutating func next() -> HTTP2ServerSession.Event? {
        guard head < entries.count else {
            if head > 0 {
                entries.removeAll(keepingCapacity: true)
                head = 0
            }
            return nil
        }
        let entry = entries[head]
        head += 1
        guard let stream = entry.stream?.takeUnretainedValue() else { return .pong }
        switch entry.kind {
        case .request: return .request(stream)
        case .refused:
            guard let refusal = stream.refusal else { preconditionFailure("refused for no reason") }
            return .refused(stream, refusal)
        case .body: return .body(stream, UnsafeRawBufferPointer(start: entry.base, count: entry.count))
        case .end: return .end(stream)
        case .room: return .room(stream)
        case .closed: return .closed(stream)
        case .pong: return .pong
        }
    }
}
