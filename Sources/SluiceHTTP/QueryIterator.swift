/// Name and value pairs of a query or of a form, still encoded (`application/x-www-form-urlencoded`, WHATWG URL §5.1).
public struct QueryIterator {
    public struct Pair {
        public var name: UnsafeRawBufferPointer
        public var value: UnsafeRawBufferPointer
        /// Whether there is a `=`: `?a` and `?a=` differ.
        public var hasValue: Bool
    }

    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    /// - Parameter bytes: the query without its `?`, or a form.
    public init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// The next pair; empty ones, as in `a=1&&b=2`, are skipped.
    public mutating func next() -> Pair? {
        while position < bytes.count {
            let start = position
            var equals: Int?
            while position < bytes.count, bytes[position] != UInt8(ascii: "&") {
                if equals == nil, bytes[position] == UInt8(ascii: "=") { equals = position }
                position += 1
            }
            let end = position
            position += 1
            if start == end { continue }
            guard let equals else { return Pair(name: bytes.part(start, end), value: .empty, hasValue: false) }
            return Pair(name: bytes.part(start, equals), value: bytes.part(equals + 1, end), hasValue: true)
        }
        return nil
    }
}
