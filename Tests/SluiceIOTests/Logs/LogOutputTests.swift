import Foundation
import Logging
import SluiceContract
import Testing

@testable import SluiceIO

@Suite struct LogOutputTests {
    private static func line(_ text: String) -> LogLine {
        LogLine(time: 0, level: .info, label: "test", message: text, metadata: [:])
    }

    /// Nobody reads: appending goes on, memory is bounded, and once there is room it is said what was lost.
    @Test func aFullPipeCostsLinesOnly() throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        _ = fcntl(descriptor, 1031, 4096)  // F_SETPIPE_SZ
        let output = LogOutput(LogSettings(), descriptor: descriptor)
        let long = String(repeating: "x", count: 1000)
        let count = 3 * LogOutput.bytesMax / 1000
        for number in 0..<count { output.append(Self.line("\(number) \(long)")) }
        #expect(!output.flush(within: .zero))
        let reader = pipe.fileHandleForReading
        var lines = 0
        var text = ""
        while !text.contains("lines of the log were lost") {
            text += String(decoding: reader.availableData, as: UTF8.self)
            lines = text.count { $0 == "\n" }
        }
        #expect(output.flush(within: .seconds(30)))
        let said = try #require(text.split(separator: "\n").last { $0.contains("were lost") })
        let lost = try #require(said.firstMatch(of: #/"lines":"([0-9]+)"/#).flatMap { Int($0.1) })
        #expect(lost > 0)
        #expect(lines - 1 + lost == count)
    }

    /// Also where no other line waits.
    @Test func aLineThatFindsNoRoomAlone() throws {
        let pipe = Pipe()
        let output = LogOutput(LogSettings(), descriptor: pipe.fileHandleForWriting.fileDescriptor)
        output.append(Self.line(String(repeating: "x", count: LogOutput.bytesMax + 1)))
        #expect(output.flush(within: .seconds(30)))
        try pipe.fileHandleForWriting.close()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(text.split(separator: "\n").count == 1)
        #expect(text.contains("lines of the log were lost") && text.contains(#""lines":"1""#))
    }

    @Test func aReaderThatIsGone() throws {
        signal(SIGPIPE, SIG_IGN)
        let pipe = Pipe()
        let output = LogOutput(LogSettings(), descriptor: pipe.fileHandleForWriting.fileDescriptor)
        try pipe.fileHandleForReading.close()
        output.append(Self.line("for nobody"))
        #expect(output.flush(within: .seconds(30)))
    }
}
