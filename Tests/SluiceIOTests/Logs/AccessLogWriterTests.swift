import Foundation
import Logging
import TestFiles
import Testing

@testable import SluiceIO

private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

extension AccessLogBuffer {
    fileprivate func append(_ line: String) {
        var line = line
        line.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }
}

@Suite struct AccessLogWriterTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func content(_ name: String = "log") throws -> String {
        try String(contentsOfFile: directory.file(name), encoding: .utf8)
    }

    @Test func linesOfSeveralLoops() throws {
        let writer = try AccessLogWriter(path: directory.file("log"), logger: logger)
        let buffers = [writer.makeBuffer(), writer.makeBuffer()]
        for (index, buffer) in buffers.enumerated() {
            buffer.append("first of \(index)")
            buffer.append("second of \(index)")
        }
        for buffer in buffers { buffer.flush(within: .seconds(30)) }
        #expect(try content() == "first of 0\nsecond of 0\nfirst of 1\nsecond of 1\n")
        #expect(writer.counts == .init(written: 4))
    }

    /// More than one batch, from several threads: every line arrives whole and in its loop's order.
    @Test func manyLines() async throws {
        let writer = try AccessLogWriter(path: directory.file("log"), logger: logger)
        let path = directory.file("log")
        await withTaskGroup { group in
            for loop in 0..<3 {
                group.addTask {
                    let buffer = writer.makeBuffer()
                    for line in 0..<10_000 {
                        buffer.append("\(loop) \(line)")
                        if line % 1000 == 0 { buffer.flush(within: .seconds(30)) }
                    }
                    buffer.flush(within: .seconds(30))
                }
            }
        }
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 30_000)
        for loop in 0..<3 {
            let own = lines.filter { $0.hasPrefix("\(loop) ") }
            #expect(own.elementsEqual((0..<10_000).map { "\(loop) \($0)" }) { String($0) == $1 })
        }
        #expect(writer.counts == .init(written: 30_000))
    }

    @Test func reopensAfterRotation() throws {
        let writer = try AccessLogWriter(path: directory.file("log"), logger: logger)
        let buffer = writer.makeBuffer()
        buffer.append("before")
        buffer.flush(within: .seconds(30))
        #expect(rename(directory.file("log"), directory.file("log.1")) == 0)
        buffer.append("still there")
        buffer.flush(within: .seconds(30))
        writer.reopen()
        buffer.append("after")
        buffer.flush(within: .seconds(30))
        #expect(try content("log.1") == "before\nstill there\n")
        #expect(try content("log") == "after\n")
    }

    @Test func keepsTheOldFileWhereReopeningFails() throws {
        try directory.makeDirectory("logs")
        let writer = try AccessLogWriter(path: directory.file("logs/log"), logger: logger)
        let buffer = writer.makeBuffer()
        #expect(rename(directory.file("logs"), directory.file("moved")) == 0)
        writer.reopen()
        buffer.append("kept")
        buffer.flush(within: .seconds(30))
        #expect(try content("moved/log") == "kept\n")
    }

    /// fifo(7): who opens a pipe for writing waits for a reader, and here a start or a reload would.
    @Test(arguments: [AccessLogWriter.Purpose.access, .audit])
    func aPipeThatNobodyReadsIsRefused(_ purpose: AccessLogWriter.Purpose) throws {
        let path = directory.file("log")
        #expect(mkfifo(path, 0o600) == 0)
        let failure = AccessLogWriter.OpenFailure(path: path, purpose: purpose, isJournal: false, code: ENXIO)
        #expect(throws: failure) { _ = try AccessLogWriter(path: path, for: purpose, logger: logger) }
        #expect(failure.description.contains("is a pipe that nobody reads"))
    }

    @Test func aPipeWithAReaderIsWritten() throws {
        let path = directory.file("log")
        #expect(mkfifo(path, 0o600) == 0)
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let writer = try AccessLogWriter(path: path, logger: logger)
        let buffer = writer.makeBuffer()
        buffer.append("line")
        buffer.flush(within: .seconds(30))
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = read(reader, &bytes, 100)
        #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "line\n")
    }

    /// A pipe stands in its place for a moment: one warning, no line is lost, and then the file is there.
    @Test func isReopenedOnceThatIsPossible() async throws {
        let messages = Inbox<String>()
        let telling = Logger(label: "test") { _ in InboxLogHandler(inbox: messages) }
        let writer = try AccessLogWriter(path: directory.file("log"), logger: telling)
        let buffer = writer.makeBuffer()
        #expect(rename(directory.file("log"), directory.file("log.1")) == 0)
        #expect(mkfifo(directory.file("log"), 0o600) == 0)
        writer.reopen()
        #expect(await messages.take() == "access log not reopened")
        for line in ["kept", "kept too"] {
            buffer.append(line)
            buffer.flush(within: .seconds(30))
        }
        #expect(unlink(directory.file("log")) == 0)
        buffer.append("after")
        buffer.flush(within: .seconds(30))
        #expect(await messages.take() == "access log reopened")
        #expect(try content("log.1") == "kept\nkept too\n")
        #expect(try content("log") == "after\n")
        #expect(writer.counts == .init(written: 3))
    }

    /// ENOSPC at every write.
    @Test func aFullDiskCostsLinesOnly() throws {
        let writer = try AccessLogWriter(path: "/dev/full", logger: logger)
        let buffer = writer.makeBuffer()
        for round in 1...3 {
            buffer.append("lost")
            buffer.append("lost too")
            buffer.flush(within: .seconds(30))
            #expect(writer.counts == .init(written: 0, dropped: 2 * round, failures: round))
        }
    }

    /// A pipe whose reader stops within a line: the next line that finds room begins on its own.
    @Test func aLineCutShortIsEnded() throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        let capacity = Int(fcntl(descriptor, 1031, 4096))  // F_SETPIPE_SZ
        #expect(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
        let writer = AccessLogWriter(descriptor: descriptor, logger: logger, patienceMilliseconds: 0)
        let buffer = writer.makeBuffer()
        buffer.append("first")
        buffer.append(String(repeating: "x", count: capacity))
        buffer.append("third")
        buffer.flush(within: .seconds(30))
        #expect(writer.counts == .init(written: 1, dropped: 2, failures: 1))
        let start = try pipe.fileHandleForReading.read(upToCount: capacity)
        #expect(start?.count == capacity)
        buffer.append("whole")
        buffer.flush(within: .seconds(30))
        try pipe.fileHandleForWriting.close()
        let rest = try pipe.fileHandleForReading.readToEnd() ?? Data()
        #expect(String(decoding: rest, as: UTF8.self) == "\nwhole\n")
    }

    /// A disk that stands still: appending goes on, memory is bounded, what doesn't fit is counted.
    @Test func aStalledDiskDropsLines() throws {
        let writer = try AccessLogWriter(path: directory.file("log"), logger: logger)
        let buffer = writer.makeBuffer()
        let line = String(repeating: "x", count: 1023)
        let fitting = AccessLogBuffer.bytesMax / 1024
        writer.queue.sync {
            for _ in 0..<(fitting + 100) { buffer.append(line) }
        }
        buffer.flush(within: .seconds(30))
        #expect(writer.counts == .init(written: fitting, dropped: 100, failures: 0))
    }

    // MARK: - The audit log

    private func permissions(_ name: String) -> UInt32 {
        var facts = stat()
        return stat(directory.file(name), &facts) == 0 ? facts.st_mode & 0o777 : 0
    }

    /// Whoever made the file before, and with what permissions.
    @Test func anAuditLogIsClosedToOthers() throws {
        _ = try AccessLogWriter(path: directory.file("log"), for: .audit, logger: logger)
        #expect(permissions("log") == 0o600)
        chmod(directory.file("log"), 0o644)
        let writer = try AccessLogWriter(path: directory.file("log"), for: .audit, logger: logger)
        #expect(permissions("log") == 0o600)
        // logrotate makes the new one.
        rename(directory.file("log"), directory.file("log.1"))
        #expect(FileManager.default.createFile(atPath: directory.file("log"), contents: nil))
        writer.reopen()
        writer.queue.sync {}
        #expect(permissions("log") == 0o600)
    }

    @Test func anAuditLogSaysHowManyLinesAreMissing() throws {
        let writer = try AccessLogWriter(path: directory.file("log"), for: .audit, logger: logger)
        let buffer = writer.makeBuffer()
        let line = String(repeating: "x", count: 1023)
        let fitting = AccessLogBuffer.bytesMax / 1024
        writer.queue.sync {
            for _ in 0..<(fitting + 100) { buffer.append(line) }
        }
        buffer.flush(within: .seconds(30))
        let lines = try content().split(separator: "\n")
        #expect(lines.count == fitting + 1)
        #expect(lines.last?.hasSuffix(#""event":"lines-lost","lines":100}"#) == true)
    }

    /// What a disk did not take is told of once it takes something again.
    @Test func anAuditLogTellsOfAFullDiskAfterwards() throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        let capacity = Int(fcntl(descriptor, 1031, 4096))  // F_SETPIPE_SZ
        #expect(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
        let writer = AccessLogWriter(descriptor: descriptor, for: .audit, logger: logger, patienceMilliseconds: 0)
        let buffer = writer.makeBuffer()
        buffer.append(String(repeating: "x", count: capacity))
        buffer.append("lost")
        buffer.flush(within: .seconds(30))
        _ = try pipe.fileHandleForReading.read(upToCount: capacity)
        buffer.append("whole")
        buffer.flush(within: .seconds(30))
        try pipe.fileHandleForWriting.close()
        let rest = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(rest.hasPrefix("\nwhole\n") && rest.hasSuffix(#""event":"lines-lost","lines":2}"# + "\n"))
    }

    @Test func aFileThatCannotBeOpened() {
        let failure = AccessLogWriter.OpenFailure(
            path: "/nowhere/log", purpose: .audit, isJournal: false, code: ENOENT)
        #expect(throws: failure) { _ = try AccessLogWriter(path: "/nowhere/log", for: .audit, logger: logger) }
        #expect(failure.description == "/nowhere/log has no folder to be in; make it, or change 'log: audit:'")
    }
}
