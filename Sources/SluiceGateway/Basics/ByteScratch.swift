internal import Glibc

/// A growable run of bytes that keeps its memory when emptied, such as for an exchange's target and values.
struct ByteScratch: ~Copyable {
    private var base: UnsafeMutableRawPointer?
    private(set) var count = 0
    private var capacity = 0

    init() {}

    deinit { free(base) }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

    func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        precondition(range.upperBound <= count)
        return UnsafeRawBufferPointer(start: base.map { $0 + range.lowerBound }, count: range.count)
    }

    mutating func append(_ run: UnsafeRawBufferPointer) {
        guard let source = run.baseAddress, run.count > 0 else { return }
        withSpare(run.count) { spare in
            spare.baseAddress!.copyMemory(from: source, byteCount: run.count)
            return run.count
        }
    }

    mutating func append(_ run: [UInt8]) {
        run.withUnsafeBytes { append($0) }
    }

    mutating func append(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(_ byte: UInt8) {
        withSpare(1) { spare in
            spare[0] = byte
            return 1
        }
    }

    /// Lets `fill` write at most `most` bytes at the end.
    /// - Parameter fill: returns how many bytes it wrote; after nil nothing is added, and nil is returned.
    @discardableResult
    mutating func withSpare(_ most: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int?) -> Int? {
        if count + most > capacity {
            capacity = max(256, max(capacity * 2, count + most))
            base = realloc(base, capacity)
            precondition(base != nil, "out of memory")
        }
        guard let written = fill(UnsafeMutableRawBufferPointer(start: base! + count, count: most)) else { return nil }
        precondition(written <= most)
        count += written
        return written
    }

    mutating func removeAll() {
        count = 0
        if capacity > 16 << 10 { releaseMemory() }
    }

    mutating func removeLast(_ number: Int) {
        precondition(number <= count)
        count -= number
    }

    mutating func releaseMemory() {
        free(base)
        base = nil
        count = 0
        capacity = 0
    }
}
