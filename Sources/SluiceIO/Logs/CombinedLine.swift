internal import SluiceContract
internal import SluiceGateway
internal import SluiceHTTP

/// One finished exchange in the combined log format of Apache (mod_log_config):
///
///     127.0.0.1 - ci [21/Nov/2026:10:05:01 +0000] "GET /fruits HTTP/1.1" 200 44 "https://a.example/" "curl/8.5.0"
///
/// Text from the client is escaped as Apache does it: no byte of it ends a string or the line.
enum CombinedLine {
    private static let months = Array("JanFebMarAprMayJunJulAugSepOctNovDec".utf8)

    /// Appends the line, without its line end.
    /// - Parameters:
    ///   - time: milliseconds since 1970 when the exchange ended; the line tells when it began.
    ///   - query: how much of the target's query is written.
    static func append(
        _ entry: borrowing AccessEntry, at time: Int64, query: LogSettings.Query, to line: inout [UInt8]
    ) {
        // A client of a Unix socket has no address.
        if entry.client.isEmpty { line.append(UInt8(ascii: "-")) } else { appendEscaped(entry.client, to: &line) }
        line += " - ".utf8
        appendEscaped((entry.clientName ?? "-").utf8, to: &line)
        line += " [".utf8
        appendDate(milliseconds: Int(time) - Int(clamping: entry.nanoseconds / 1_000_000), to: &line)
        line += " +0000] \"".utf8
        appendEscaped(entry.method, to: &line)
        line.append(UInt8(ascii: " "))
        QueryMask.forEachRun(of: entry.target, query) { appendEscaped($0, to: &line) }
        line.append(UInt8(ascii: " "))
        line += (entry.version == .http2 ? "HTTP/2.0" : entry.version.text).utf8
        line += "\" ".utf8
        // Zero where the client left before the answer.
        appendCount(entry.status, to: &line)
        line.append(UInt8(ascii: " "))
        appendCount(entry.bytes, to: &line)
        line += " \"".utf8
        if entry.referer.isEmpty { line.append(UInt8(ascii: "-")) }
        // The page that the client comes from may have a key in its query, too.
        QueryMask.forEachRun(of: entry.referer, query) { appendEscaped($0, to: &line) }
        line += "\" \"".utf8
        if entry.userAgent.isEmpty { line.append(UInt8(ascii: "-")) }
        appendEscaped(entry.userAgent, to: &line)
        line.append(UInt8(ascii: "\""))
    }

    /// `21/Nov/2026:10:05:01`.
    private static func appendDate(milliseconds: Int, to line: inout [UInt8]) {
        let (second, _) = milliseconds.floorDivided(by: 1000)
        let (day, secondOfDay) = second.floorDivided(by: 86_400)
        let date = CivilDate(day: day)
        append(date.day, to: &line)
        line.append(UInt8(ascii: "/"))
        line += months[(date.month - 1) * 3..<date.month * 3]
        line += "/\(date.year):".utf8
        append(secondOfDay / 3600, to: &line)
        line.append(UInt8(ascii: ":"))
        append(secondOfDay / 60 % 60, to: &line)
        line.append(UInt8(ascii: ":"))
        append(secondOfDay % 60, to: &line)
    }

    private static func append(_ number: Int, to line: inout [UInt8]) {
        line.append(0x30 + UInt8(number / 10))
        line.append(0x30 + UInt8(number % 10))
    }

    /// `-` for nothing.
    private static func appendCount(_ count: Int, to line: inout [UInt8]) {
        line += (count > 0 ? "\(count)" : "-").utf8
    }

    /// As `ap_escape_logitem` of Apache has it.
    private static func appendEscaped(_ bytes: some Sequence<UInt8>, to line: inout [UInt8]) {
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): line += [UInt8(ascii: "\\"), byte]
            case 0x20..<0x7F: line.append(byte)
            case 0x08: line += #"\b"#.utf8
            case 0x09: line += #"\t"#.utf8
            case 0x0A: line += #"\n"#.utf8
            case 0x0B: line += #"\v"#.utf8
            case 0x0D: line += #"\r"#.utf8
            default: line += [UInt8(ascii: "\\"), UInt8(ascii: "x"), digit(byte >> 4), digit(byte & 15)]
            }
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? value + 0x30 : value + 0x57 }
}
