internal import Logging

/// One line of the log, as bytes.
///
/// Outside text is escaped in both formats: no message can start a line of its own or control a terminal.
struct LogLine {
    /// Milliseconds since 1970.
    let time: Int64
    let level: Logger.Level
    let label: String
    let message: String
    let metadata: Logger.Metadata

    /// `2026-11-21T10:05:01.042Z warning sluice: message  key=value`.
    /// - Parameter isColoured: whether warnings and errors stand out.
    func text(isColoured: Bool = false) -> [UInt8] {
        var bytes: [UInt8] = []
        Timestamp.append(milliseconds: time, to: &bytes)
        let blanks = String(repeating: " ", count: max(0, 8 - level.rawValue.utf8.count))
        let word = isColoured ? colour?.paint(level.rawValue) ?? level.rawValue : level.rawValue
        bytes += " \(word)\(blanks) \(label): ".utf8
        Self.appendEscaped(message, to: &bytes)
        for (index, entry) in sortedMetadata.enumerated() {
            bytes += index == 0 ? "  ".utf8 : " ".utf8
            Self.appendEscaped(entry.key, to: &bytes)
            bytes.append(UInt8(ascii: "="))
            let value = entry.value.description
            if value.isEmpty || value.utf8.contains(where: { $0 <= 0x20 || $0 == UInt8(ascii: "\"") }) {
                bytes.append(UInt8(ascii: "\""))
                Self.appendEscaped(value, quotes: true, to: &bytes)
                bytes.append(UInt8(ascii: "\""))
            } else {
                Self.appendEscaped(value, to: &bytes)
            }
        }
        bytes.append(0x0A)
        return bytes
    }

    private var colour: TerminalColour? {
        switch level {
        case .error, .critical: .red
        case .warning: .yellow
        default: nil
        }
    }

    /// One JSON object; metadata stands beside `time`, `level`, `logger` and `message`.
    func json() -> [UInt8] {
        var bytes = Array(#"{"time":""#.utf8)
        Timestamp.append(milliseconds: time, to: &bytes)
        bytes += #"","level":"\#(level.rawValue)","logger":"#.utf8
        Self.appendJSON(.string(label), to: &bytes)
        bytes += #","message":"#.utf8
        Self.appendJSON(.string(message), to: &bytes)
        for entry in sortedMetadata {
            bytes.append(UInt8(ascii: ","))
            // A key that would shadow one of ours gets an underscore.
            let isTaken = ["time", "level", "logger", "message"].contains(entry.key)
            Self.appendJSON(.string(isTaken ? entry.key + "_" : entry.key), to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            Self.appendJSON(entry.value, to: &bytes)
        }
        bytes += "}\n".utf8
        return bytes
    }

    private var sortedMetadata: [(key: String, value: Logger.MetadataValue)] {
        metadata.sorted { $0.key < $1.key }
    }

    private static func appendJSON(_ value: Logger.MetadataValue, to bytes: inout [UInt8]) {
        switch value {
        case .string(let string):
            bytes.append(UInt8(ascii: "\""))
            appendEscaped(string, quotes: true, to: &bytes)
            bytes.append(UInt8(ascii: "\""))
        case .stringConvertible(let value):
            appendJSON(.string(value.description), to: &bytes)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                appendJSON(value, to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .dictionary(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                appendJSON(.string(member.key), to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                appendJSON(member.value, to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// Escapes control characters, C1 included, as JSON does (RFC 8259 §7); with `quotes` also what ends a string.
    static func appendEscaped(_ string: String, quotes: Bool = false, to bytes: inout [UInt8]) {
        let digits = Array("0123456789abcdef".utf8)
        for scalar in string.unicodeScalars {
            switch scalar.value {
            case 0x0A: bytes += #"\n"#.utf8
            case 0x0D: bytes += #"\r"#.utf8
            case 0x09: bytes += #"\t"#.utf8
            case 0..<0x20, 0x7F..<0xA0:
                bytes += #"\u00"#.utf8
                bytes.append(digits[Int(scalar.value >> 4)])
                bytes.append(digits[Int(scalar.value & 15)])
            case 0x22 where quotes, 0x5C where quotes:
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(UInt8(scalar.value))
            default: bytes += String(scalar).utf8
            }
        }
    }
}
