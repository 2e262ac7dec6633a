/// Turns an array into lines, with one element on each.
enum JSONLines {
    /// - Parameter json: an array that is known to be valid JSON.
    static func lines(ofArray json: [UInt8]) -> [UInt8] {
        var lines: [UInt8] = []
        var depth = 0
        var isText = false
        var isEscaped = false
        for byte in json {
            if isText {
                lines.append(byte)
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isText = false
                }
                continue
            }
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: continue
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
            switch (byte, depth) {
            case (UInt8(ascii: "["), 1): continue
            case (UInt8(ascii: "]"), 0): if !lines.isEmpty { lines.append(0x0A) }
            case (UInt8(ascii: ","), 1): lines.append(0x0A)
            default:
                isText = byte == UInt8(ascii: "\"")
                lines.append(byte)
            }
        }
        return lines
    }
}
