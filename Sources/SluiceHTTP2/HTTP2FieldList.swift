internal import CNGHTTP2
internal import CSIMD
internal import SluiceHTTP

/// A list of fields in the form that the library takes; its memory is reused. The library copies the list, and puts
/// names in lower case.
struct HTTP2FieldList: ~Copyable {
    private(set) var base: UnsafeMutablePointer<nghttp2_nv>
    private(set) var count = 0
    private var capacity = 64
    /// Values that contain numbers: status, length, age and cache status.
    private let digits: UnsafeMutablePointer<UInt8>
    private var digitCount = 0

    private static let digitBytes = 128

    init() {
        base = .allocate(capacity: 64)
        digits = .allocate(capacity: Self.digitBytes)
    }

    deinit {
        base.deallocate()
        digits.deallocate()
    }

    /// Begins a response's list.
    mutating func begin(status: Int) {
        precondition((100...599).contains(status), "no such status")
        count = 0
        digitCount = 0
        append(":status", decimal: status)
    }

    /// Begins a list without control data: trailers.
    mutating func begin() {
        count = 0
        digitCount = 0
    }

    /// Appends fields given as lines of HTTP/1.1: well-formed, each with one blank after its colon.
    mutating func append(lines: UnsafeRawBufferPointer) {
        var start = 0
        while start < lines.count, let base = lines.baseAddress {
            var colon = start
            while lines[colon] != UInt8(ascii: ":") { colon += 1 }
            let value = colon + 2
            let end =
                value
                + sluice_scan_field_value(
                    (base + value).assumingMemoryBound(to: UInt8.self), lines.count - value)
            append(lines.part(start, colon), lines.part(value, end))
            start = end + 2
        }
    }

    /// - Parameter text: the text before the number.
    mutating func append(_ name: StaticString, _ text: StaticString = "", decimal value: Int) {
        precondition(value >= 0 && digitCount + text.utf8CodeUnitCount + 20 <= Self.digitBytes)
        let before = digitCount
        for byte in UnsafeRawBufferPointer(text) {
            digits[digitCount] = byte
            digitCount += 1
        }
        var rest = value
        var start = digitCount + 20
        repeat {
            start -= 1
            digits[start] = UInt8(truncatingIfNeeded: rest % 10) &+ 0x30
            rest /= 10
        } while rest != 0
        let length = digitCount + 20 - start
        // Moved to the front, so that there is room for further values.
        for index in 0..<length { digits[digitCount + index] = digits[start + index] }
        digitCount += length
        let value = UnsafeRawBufferPointer(start: digits + before, count: digitCount - before)
        append(UnsafeRawBufferPointer(name), value)
    }

    /// All fields that are not marked.
    mutating func append(_ block: borrowing HeaderBlock) {
        for index in 0..<block.count where !block.isMarked(index) {
            append(block.name(index), block.value(index))
        }
    }

    mutating func append(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        if count == capacity { grow() }
        // Never null: the library compares and copies with a length of 0, too.
        let nameBase = name.baseAddress ?? UnsafeRawPointer(digits)
        let valueBase = value.baseAddress ?? UnsafeRawPointer(digits)
        (base + count).initialize(
            to: nghttp2_nv(
                name: UnsafeMutablePointer(mutating: nameBase.assumingMemoryBound(to: UInt8.self)),
                value: UnsafeMutablePointer(mutating: valueBase.assumingMemoryBound(to: UInt8.self)),
                namelen: name.count, valuelen: value.count, flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue)))
        count += 1
    }

    /// Size of the list as SETTINGS_MAX_HEADER_LIST_SIZE counts it (RFC 9113 §6.5.2).
    var listBytes: Int {
        (0..<count).reduce(0) { $0 + base[$1].namelen + base[$1].valuelen + 32 }
    }

    private mutating func grow() {
        let grown = UnsafeMutablePointer<nghttp2_nv>.allocate(capacity: capacity * 2)
        grown.moveInitialize(from: base, count: count)
        base.deallocate()
        base = grown
        capacity *= 2
    }
}
