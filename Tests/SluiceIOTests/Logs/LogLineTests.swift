import Foundation
import Logging
import Testing

@testable import SluiceIO

private func line(
    _ message: String, level: Logger.Level = .info, _ metadata: Logger.Metadata = [:]
) -> LogLine {
    LogLine(time: 1_795_255_501_042, level: level, label: "sluice", message: message, metadata: metadata)
}

@Suite struct LogLineTests {
    @Test(arguments: [
        (line("up"), "2026-11-21T10:05:01.042Z info     sluice: up\n"),
        (line("odd", level: .critical), "2026-11-21T10:05:01.042Z critical sluice: odd\n"),
        (
            line("up", ["b": "2", "a": "one word", "c": ""]),
            "2026-11-21T10:05:01.042Z info     sluice: up  a=\"one word\" b=2 c=\"\"\n"
        ),
        (
            line("two\nlines\u{1b}[31m \u{9b}", ["k": "say \"x\"\r\n"]),
            #"2026-11-21T10:05:01.042Z info     sluice: two\nlines\u001b[31m \u009b  k="say \"x\"\r\n""# + "\n"
        ),
    ])
    func text(line: LogLine, expected: String) {
        #expect(String(decoding: line.text(), as: UTF8.self) == expected)
    }

    /// What somebody should look at, and the columns stay where they are.
    @Test(arguments: [
        (Logger.Level.info, "info     "), (.notice, "notice   "), (.warning, "\u{1B}[1;33mwarning\u{1B}[0m  "),
        (.error, "\u{1B}[1;31merror\u{1B}[0m    "), (.critical, "\u{1B}[1;31mcritical\u{1B}[0m "),
    ])
    func colours(level: Logger.Level, word: String) {
        let text = String(decoding: line("up", level: level).text(isColoured: true), as: UTF8.self)
        #expect(text == "2026-11-21T10:05:01.042Z \(word)sluice: up\n")
    }

    @Test(arguments: [
        (line("up"), #"{"time":"2026-11-21T10:05:01.042Z","level":"info","logger":"sluice","message":"up"}"#),
        (
            line(
                "a\"\\\u{0}\n é", level: .error, ["level": "x", "list": ["a", ["k": "v"]], "n": .stringConvertible(3)]),
            #"{"time":"2026-11-21T10:05:01.042Z","level":"error","logger":"sluice","message":"a\"\\\u0000\n é","#
                + #""level_":"x","list":["a",{"k":"v"}],"n":"3"}"#
        ),
    ])
    func json(line: LogLine, expected: String) throws {
        #expect(String(decoding: line.json(), as: UTF8.self) == expected + "\n")
        let object = try JSONSerialization.jsonObject(with: Data(line.json())) as? [String: Any]
        #expect(object?["message"] as? String == line.message)
    }
}
