internal import Glibc

/// A finished request as one line for people.
struct TailLine: Decodable {
    var time: String?
    var method: String?
    var target: String?
    var status: Int?
    var durationUs: Int?
    var attempts: Int?
    var cache: String?
    var collapsed: Bool?
    var problem: String?
    /// Number of missing lines, if this line reports them.
    var dropped: Int?

    /// Below that, the line has no room for the cache's outcome.
    private static let widthOfCache = 72
    private static let targetMin = 8

    /// - Parameter width: columns that the line has to fit in; nil for any length.
    func text(width: Int?, _ style: Style) -> String {
        if let dropped { return style.yellow("… \(Count.words(dropped, "request")) left out: too many at once") }
        var lead = "\(clock) \(Self.padded(duration, to: 8, onTheRight: true))  "
        if width ?? .max >= Self.widthOfCache {
            lead += Self.padded(collapsed == true ? "collapsed" : cache ?? "-", to: 10)
        }
        var notes = (attempts ?? 0) > 1 ? "  ×\(attempts ?? 0)" : ""
        if let problem { notes += "  " + Self.printable(problem) }
        let request = "\(Self.printable(method ?? "-")) \(Self.printable(target ?? "-"))"
        let code = status.map { $0 > 0 ? "\($0)" : "---" } ?? "---"
        let room = width.map { max(Self.targetMin, $0 - lead.count - code.count - 2 - notes.count) }
        return lead + painted(code, style) + "  " + Self.cut(request, to: room)
            + (problem == nil ? notes : painted(notes, style))
    }

    private func painted(_ text: String, _ style: Style) -> String {
        switch status ?? 0 {
        case 100..<400: problem == nil ? text : style.red(text)
        case 400..<500: style.yellow(text)
        default: style.red(text)
        }
    }

    /// The time of day here, of `2026-11-21T10:05:01.042Z`.
    private var clock: String {
        guard let time, let date = Self.unixTime(time) else { return "--:--:--.---" }
        var second = time_t(date)
        var parts = tm()
        localtime_r(&second, &parts)
        let digits = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { Self.padded("\($0)", to: 2, with: "0") }
        return digits.joined(separator: ":") + time.dropFirst(19).prefix(4)
    }

    private static func unixTime(_ text: String) -> Int? {
        let digits = Array(text.utf8)
        guard digits.count == 24 else { return nil }
        func number(_ range: Range<Int>) -> Int32 { Int32(String(decoding: digits[range], as: UTF8.self)) ?? 0 }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (number(0..<4) - 1900, number(5..<7) - 1, number(8..<10))
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (number(11..<13), number(14..<16), number(17..<19))
        return timegm(&parts)
    }

    private var duration: String {
        let microseconds = durationUs ?? 0
        if microseconds >= 10_000_000 { return "\(microseconds / 1_000_000) s" }
        if microseconds >= 1_000_000 { return Self.tenths(microseconds / 100_000) + " s" }
        if microseconds >= 100_000 { return "\(microseconds / 1000) ms" }
        return Self.tenths(microseconds / 100) + " ms"
    }

    private static func tenths(_ count: Int) -> String { "\(count / 10).\(count % 10)" }

    private static func padded(_ text: String, to width: Int, onTheRight: Bool = false) -> String {
        let blanks = String(repeating: " ", count: max(0, width - text.count))
        return onTheRight ? blanks + text : text + blanks
    }

    private static func padded(_ text: String, to width: Int, with filler: String) -> String {
        String(repeating: filler, count: max(0, width - text.count)) + text
    }

    private static func cut(_ text: String, to room: Int?) -> String {
        guard let room, text.count > room else { return text }
        return text.prefix(room - 1) + "…"
    }

    /// A client's text must not control the terminal: each scalar stands for one byte of it.
    private static func printable(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            if (0x20..<0x7F).contains(scalar.value) { return String(scalar) }
            let digits = String(scalar.value, radix: 16)
            return "\\x" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }
}
