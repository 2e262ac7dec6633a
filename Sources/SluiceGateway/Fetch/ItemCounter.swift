/// Counts the elements of a valid JSON array, which arrives in pieces cut anywhere.
struct ItemCounter {
    private(set) var count = 0
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    /// Whether the outermost value is an array.
    private var isArray = false
    /// Whether the array's next element has not begun.
    private var awaitsItem = false

    /// Another array begins.
    mutating func arrayEnded() { (depth, awaitsItem) = (0, false) }

    mutating func count(_ run: UnsafeRawBufferPointer) {
        for byte in run {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            if byte <= 0x20 { continue }
            switch byte {
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                continue
            case UInt8(ascii: ","):
                if depth == 1 { awaitsItem = isArray }
                continue
            default: break
            }
            if awaitsItem {
                count += 1
                awaitsItem = false
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                if depth == 1 {
                    isArray = byte == UInt8(ascii: "[")
                    awaitsItem = isArray
                }
            default: break
            }
        }
    }
}
