internal import ArgumentParser
internal import Foundation

/// Words on standard error, bytes on standard output.
enum Say {
    static func error(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
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
