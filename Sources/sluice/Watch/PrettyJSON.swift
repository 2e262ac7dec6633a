internal import SluiceJSON

/// JSON as lines that people compare: one member or element in each.
enum PrettyJSON {
    /// - Returns: nil where the bytes are no JSON.
    static func lines(_ json: [UInt8]) -> [String]? {
        guard json.withUnsafeBytes({ JSONCheck.isValid($0) }) else { return nil }
        var writer = Writer()
        var isInString = false
        var isEscaped = false
        for (index, byte) in json.enumerated() {
            if isInString {
                writer.put(byte)
                if !isEscaped, byte == UInt8(ascii: "\"") { isInString = false }
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: break
            case UInt8(ascii: "\""):
                isInString = true
                writer.put(byte)
            case UInt8(ascii: "{"), UInt8(ascii: "["): writer.open(byte, isEmpty: isEmpty(json, behind: index))
            case UInt8(ascii: "}"), UInt8(ascii: "]"): writer.close(byte)
            case UInt8(ascii: ","): writer.separate()
            case UInt8(ascii: ":"):
                writer.put(byte)
                writer.put(0x20)
            default: writer.put(byte)
            }
        }
        return writer.end()
    }

    /// Whether a bracket is closed by what follows it.
    private static func isEmpty(_ json: [UInt8], behind index: Int) -> Bool {
        let next = json[(index + 1)...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return next == UInt8(ascii: "}") || next == UInt8(ascii: "]")
    }

    private struct Writer {
        private var lines: [String] = []
        private var line: [UInt8] = []
        private var depth = 0
        private var isBehindEmpty = false

        mutating func put(_ byte: UInt8) { line.append(byte) }

        mutating func open(_ byte: UInt8, isEmpty: Bool) {
            line.append(byte)
            isBehindEmpty = isEmpty
            if isEmpty { return }
            depth += 1
            newLine()
        }

        mutating func close(_ byte: UInt8) {
            if isBehindEmpty {
                isBehindEmpty = false
            } else {
                depth -= 1
                newLine()
            }
            line.append(byte)
        }

        mutating func separate() {
            line.append(UInt8(ascii: ","))
            newLine()
        }

        private mutating func newLine() {
            lines.append(String(decoding: line, as: UTF8.self))
            line = Array(repeating: 0x20, count: 2 * depth)
        }

        mutating func end() -> [String] {
            newLine()
            return lines
        }
    }
}
