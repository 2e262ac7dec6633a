internal import ArgumentParser
internal import Foundation
internal import SluiceIO

/// How bad something is that is said on standard error.
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

    /// Says `text`; to the journal, which takes every line for a message, with its level.
    static func error(_ text: String, _ severity: Severity = .error) {
        let lead = isJournal ? severity.level.prefix : ""
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { lead + $0 }
        FileHandle.standardError.write(Data((lines.joined(separator: "\n") + "\n").utf8))
    }

    /// Writes bytes to standard error as they are.
    static func error(_ bytes: UnsafeRawBufferPointer) {
        FileHandle.standardError.write(Data(bytes))
    }

    /// Says `text`; the error to throw ends the command with `code`.
    static func failure(_ text: String, code: Int32 = 1) -> ExitCode {
        error(text)
        return ExitCode(code)
    }

    /// Writes bytes to standard output as they are.
    static func output(_ data: Data) {
        FileHandle.standardOutput.write(data)
    }

    /// Writes bytes to standard output as they are.
    static func output(_ bytes: UnsafeRawBufferPointer) {
        FileHandle.standardOutput.write(Data(bytes))
    }
}
