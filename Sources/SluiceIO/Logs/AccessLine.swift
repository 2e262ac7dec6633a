internal import SluiceContract
internal import SluiceHTTP
internal import SluiceGateway

/// One finished exchange as a line of JSON.
///
/// Bytes outside of printable ASCII are written as `\u00XX`, one for each: a target may hold what is no UTF-8, and the
/// line has to be JSON all the same.
enum AccessLine {
    /// Appends the line, without its line end.
    /// - Parameters:
    ///   - time: milliseconds since 1970 when the exchange ended.
    ///   - query: how much of the target's query is written.
    static func append(
        _ entry: borrowing AccessEntry, at time: Int64, query: LogSettings.Query, to line: inout [UInt8]
    ) {
        line += #"{"time":""#.utf8
        Timestamp.append(milliseconds: time, to: &line)
        line += #"","client":""#.utf8
        if entry.client.isEmpty { line += "unix".utf8 } else { appendEscaped(entry.client, to: &line) }
        line += #"","method":""#.utf8
        appendEscaped(entry.method, to: &line)
        line += #"","target":""#.utf8
        QueryMask.forEachRun(of: entry.target, query) { appendEscaped($0, to: &line) }
        line += #"","status":"#.utf8
        append(decimal: UInt64(max(0, entry.status)), to: &line)
        line += #","bytes":"#.utf8
        append(decimal: UInt64(max(0, entry.bytes)), to: &line)
        line += #","duration_us":"#.utf8
        append(decimal: entry.nanoseconds / 1000, to: &line)
        if let binding = entry.binding {
            line += #","binding":""#.utf8
            appendEscaped(binding.utf8, to: &line)
            line.append(UInt8(ascii: "\""))
        }
        if let name = entry.clientName {
            line += #","client_name":""#.utf8
            appendEscaped(name.utf8, to: &line)
            line.append(UInt8(ascii: "\""))
        }
        if let name = entry.credential {
            line += #","credential":""#.utf8
            appendEscaped(name.utf8, to: &line)
            line.append(UInt8(ascii: "\""))
        }
        if let trace = entry.traceID {
            line += #","trace":""#.utf8
            line += trace.description.utf8
            line.append(UInt8(ascii: "\""))
        }
        if let problem = entry.problem {
            line += #","problem":""#.utf8
            line += problem.rawValue.utf8
            line.append(UInt8(ascii: "\""))
        }
        line.append(UInt8(ascii: "}"))
    }

    private static func appendEscaped(_ bytes: some Sequence<UInt8>, to line: inout [UInt8]) {
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                line.append(UInt8(ascii: "\\"))
                line.append(byte)
            case 0x20..<0x7F: line.append(byte)
            default:
                line += #"\u00"#.utf8
                line.append(digit(byte >> 4))
                line.append(digit(byte & 15))
            }
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? value + 0x30 : value + 0x57 }

    private static func append(decimal value: UInt64, to line: inout [UInt8]) {
        let start = line.count
        var rest = value
        repeat {
            line.append(0x30 + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        line[start...].reverse()
    }
}
