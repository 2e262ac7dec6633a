internal import ArgumentParser
internal import SluiceFiles
internal import SluiceIO
internal import Glibc

/// Severity of a message on standard error.
enum Severity: String, Decodable {
    case error, warning, note

    /// The levels of syslog(3).
    fileprivate var level: JournalStream.Level {
        switch self {
        case .error: .error
        case .warning: .warning
        case .note: .info
        }
    }
}

/// Words on standard error, bytes on standard output.
enum Say {
    private static let isJournal = JournalStream.isDescriptor(STDERR_FILENO)

    /// Prints `text`; for the journal, which takes every line as a message, with its level.
    static func error(_ text: String, _ severity: Severity = .error) {
        let lead = isJournal ? severity.level.prefix : ""
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { lead + $0 }
        Array((lines.joined(separator: "\n") + "\n").utf8).withUnsafeBytes(error)
    }

    /// Writes bytes to standard error as they are.
    static func error(_ bytes: UnsafeRawBufferPointer) {
        Progress.makeRoom()
        // Where standard error cannot be written to either, there is nothing left to do.
        _ = DescriptorWrite.all(bytes, to: STDERR_FILENO, patienceMilliseconds: -1)
    }

    /// Prints `text`; the returned error ends the command with `code`.
    static func failure(_ text: String, code: Int32 = 1) -> ExitCode {
        error(text)
        return ExitCode(code)
    }

    /// Writes `text`, and the end of its line, to standard output.
    static func print(_ text: String, terminator: String = "\n") {
        output(Array((text + terminator).utf8))
    }

    /// Ends the command where what was printed otherwise cannot be written; for atexit(3), which calls it on whatever
    /// thread ends the process.
    static let flushAtEnd: @convention(c) () -> Void = {
        if fflush(nil) == 0 { return }
        error("sluice: standard output cannot be written: \(String(cString: strerror(errno)))")
        _exit(1)
    }

    /// Writes bytes to standard output as they are.
    static func output(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes(output)
    }

    /// Writes bytes to standard output as they are; if that fails, the command ends with a message.
    static func output(_ bytes: UnsafeRawBufferPointer) {
        guard let code = DescriptorWrite.all(bytes, to: STDOUT_FILENO, patienceMilliseconds: -1).error else { return }
        error("sluice: standard output cannot be written: \(String(cString: strerror(code)))")
        exit(1)
    }
}
