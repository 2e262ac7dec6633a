/// The decoded values of one request's parameters: one run of bytes, and where each value is in it.
struct ParameterValues: ~Copyable {
    var scratch = ByteScratch()
    private(set) var entries: [Entry] = []
    /// Query pairs that pass through though no parameter is declared for them, as received, each with `&` before it.
    var extraQuery = ByteScratch()

    struct Entry {
        var parameter: Int
        var range: Range<Int>
    }

    /// Adds the bytes of `scratch` from `start` on as a value.
    mutating func add(parameter: Int, from start: Int) {
        entries.append(Entry(parameter: parameter, range: start..<scratch.count))
    }

    func count(of parameter: Int) -> Int {
        var count = 0
        for entry in entries where entry.parameter == parameter { count += 1 }
        return count
    }

    func bytes(_ entry: Entry) -> UnsafeRawBufferPointer { scratch.bytes(entry.range) }

    mutating func copy(_ other: borrowing ParameterValues) {
        scratch.append(other.scratch.bytes)
        entries = other.entries
    }

    mutating func removeAll() {
        scratch.removeAll()
        entries.removeAll(keepingCapacity: true)
        extraQuery.removeAll()
    }

    mutating func releaseMemory() {
        scratch.releaseMemory()
        entries = []
        extraQuery.releaseMemory()
    }
}
