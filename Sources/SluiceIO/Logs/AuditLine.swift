internal import SluiceGateway

/// Lines of the audit log: JSON objects that begin with `time`, `event` and mostly `credential`.
enum AuditLine {
    /// The value of a member.
    enum Value {
        case text(String)
        case number(Int)

        static func text(_ text: String?) -> Value? { text.map { .text($0) } }
        static func number(_ number: Int?) -> Value? { number.map { .number($0) } }
    }

    typealias Member = (name: String, value: Value?)

    /// The line without its end; members without a value are left out.
    /// - Parameter time: milliseconds since 1970.
    static func line(_ event: String, at time: Int64, _ members: [Member]) -> [UInt8] {
        var line = Array(#"{"time":""#.utf8)
        Timestamp.append(milliseconds: time, to: &line)
        line.append(UInt8(ascii: "\""))
        append(("event", .text(event)), to: &line)
        for member in members { append(member, to: &line) }
        line.append(UInt8(ascii: "}"))
        return line
    }

    /// One request that showed a credential.
    static func line(_ entry: AuditEntry, at time: Int64) -> [UInt8] {
        line(
            "shown", at: time,
            [
                ("credential", .text(entry.credential)), ("binding", .text(entry.binding)),
                ("client", .text(entry.client)),
                ("address", .text(entry.address.isEmpty ? "unix" : String(decoding: entry.address, as: UTF8.self))),
                ("origin", .text(entry.origin)), ("status", .number(entry.status)),
            ])
    }

    /// The report of lost lines, with its line end.
    static func losses(_ count: Int, at time: Int64) -> [UInt8] {
        line("lines-lost", at: time, [("lines", .number(count))]) + [0x0A]
    }

    private static func append(_ member: Member, to line: inout [UInt8]) {
        guard let value = member.value else { return }
        line += ",\"\(member.name)\":".utf8
        switch value {
        case .number(let number): line += "\(number)".utf8
        case .text(let text):
            line.append(UInt8(ascii: "\""))
            LogLine.appendEscaped(text, quotes: true, to: &line)
            line.append(UInt8(ascii: "\""))
        }
    }
}
