/// Pairs of names and values in one buffer, to be sorted and joined: the query parameters and the fields of canonical
/// forms.
struct CanonicalPairs {
    private struct Pair {
        var start: Int
        var middle: Int
        var end: Int
    }

    private var bytes: [UInt8] = []
    private var pairs: [Pair] = []

    init(room: Int) { bytes.reserveCapacity(room) }

    /// Adds a pair, whose two parts the closures write.
    mutating func append(name: (inout [UInt8]) -> Void, value: (inout [UInt8]) -> Void) {
        let start = bytes.count
        name(&bytes)
        let middle = bytes.count
        value(&bytes)
        pairs.append(Pair(start: start, middle: middle, end: bytes.count))
    }

    /// Sorts by name, and then by value. Not by the joined text: `a-` has to come after `a`, whatever separates name
    /// and value.
    mutating func sortByNameAndValue() {
        sort { bytes, left, right in
            Self.order(bytes[left.middle..<left.end], bytes[right.middle..<right.end])
        }
    }

    /// Sorts by name; values of one name stay in their order.
    mutating func sortByName() {
        sort { _, left, right in left.start - right.start }
    }

    private mutating func sort(ofOneName order: ([UInt8], Pair, Pair) -> Int) {
        let bytes = bytes
        pairs.sort { left, right in
            switch Self.order(bytes[left.start..<left.middle], bytes[right.start..<right.middle]) {
            case 0: order(bytes, left, right) < 0
            case let order: order < 0
            }
        }
    }

    /// Calls `body` for each pair, in order.
    /// - Parameter isRepeated: whether the pair before has the same name.
    func forEach(_ body: (_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>, _ isRepeated: Bool) -> Void) {
        var previous: ArraySlice<UInt8>?
        for pair in pairs {
            let name = bytes[pair.start..<pair.middle]
            body(name, bytes[pair.middle..<pair.end], previous == name)
            previous = name
        }
    }

    /// Compares byte by byte: negative where `left` comes first, positive where `right` does, 0 where they are equal.
    private static func order(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
        for (left, right) in zip(left, right) where left != right { return Int(left) - Int(right) }
        return left.count - right.count
    }
}
