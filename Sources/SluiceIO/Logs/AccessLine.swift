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
        line.append(UInt8(ascii: "\""))
        append("client", entry.client.isEmpty ? Array("unix".utf8) : entry.client, to: &line)
        append("method", entry.method, to: &line)
        line += #","target":""#.utf8
        QueryMask.forEachRun(of: entry.target, query) { appendEscaped($0, to: &line) }
        line.append(UInt8(ascii: "\""))
        append("protocol", entry.version.text.utf8, to: &line)
        append("status", UInt64(max(0, entry.status)), to: &line)
        append("bytes", UInt64(max(0, entry.bytes)), to: &line)
        append("bytes_in", UInt64(max(0, entry.receivedBytes)), to: &line)
        append("duration_us", entry.nanoseconds / 1000, to: &line)
        append("binding", entry.binding, to: &line)
        if let upstream = entry.upstream {
            append("upstream", upstream.name, to: &line)
            append("attempts", UInt64(max(0, upstream.attempts)), to: &line)
            append("upstream_us", upstream.nanoseconds / 1000, to: &line)
        }
        if let cache = entry.cache {
            append("cache", cache.outcome, to: &line)
            if cache.isCollapsed { line += #","collapsed":true"#.utf8 }
            append("cache_detail", cache.detail, to: &line)
        }
        append("client_name", entry.clientName, to: &line)
        append("credential", entry.credential, to: &line)
        append("trace", entry.traceID?.description, to: &line)
        append("problem", entry.problem?.rawValue, to: &line)
        line.append(UInt8(ascii: "}"))
    }

    private static func append(_ name: StaticString, _ value: String?, to line: inout [UInt8]) {
        if let value { append(name, value.utf8, to: &line) }
    }

    private static func append(_ name: StaticString, _ value: some Sequence<UInt8>, to line: inout [UInt8]) {
        appendName(name, to: &line)
        line.append(UInt8(ascii: "\""))
        appendEscaped(value, to: &line)
        line.append(UInt8(ascii: "\""))
    }

    private static func append(_ name: StaticString, _ value: UInt64, to line: inout [UInt8]) {
        appendName(name, to: &line)
        append(decimal: value, to: &line)
    }

    private static func appendName(_ name: StaticString, to line: inout [UInt8]) {
        line += #",""#.utf8
        line += UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        line += #"":"#.utf8
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
