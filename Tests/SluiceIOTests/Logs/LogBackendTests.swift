import Foundation
import Logging
import SluiceContract
import Testing

@testable import SluiceIO

@Suite struct LogBackendTests {
    /// What `log` writes into a pipe.
    private func output(_ settings: LogSettings, _ log: (Logger) -> Void) throws -> [String] {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        let output = LogOutput(settings, descriptor: descriptor)
        log(Logger(label: "sluice") { LogBackend(label: $0, level: settings.level, output: output) })
        #expect(output.flush(within: .seconds(30)))
        try pipe.fileHandleForWriting.close()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func levelFilter() throws {
        var settings = LogSettings()
        settings.level = .warning
        let lines = try output(settings) { logger in
            logger.notice("no")
            logger.warning("yes")
            logger.error("yes")
        }
        #expect(lines.count == 2)
    }

    @Test(arguments: [(LogSettings.Format.auto, "{"), (.json, "{"), (.text, "2")])
    func formats(format: LogSettings.Format, start: String) throws {
        var settings = LogSettings()
        settings.format = format
        let lines = try output(settings) { $0.info("hello") }
        // A pipe is no terminal.
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix(start) == true)
    }

    @Test func metadataOfLoggerAndMessage() throws {
        let lines = try output(LogSettings()) { logger in
            var logger = logger
            logger[metadataKey: "a"] = "1"
            logger[metadataKey: "b"] = "1"
            logger.info("hello", metadata: ["b": "2"])
        }
        #expect(lines.first?.hasSuffix(#""message":"hello","a":"1","b":"2"}"#) == true)
    }

    @Test(arguments: LogSettings.Level.allCases)
    func levels(level: LogSettings.Level) {
        #expect(Logger.Level(level).rawValue == level.rawValue)
    }
}
