internal import Glibc

/// Writes an answer's body piece by piece: unchanged to files, pipes and programs, and without control sequences to a
/// terminal.
struct AnswerOutput {
    private let isProblem: Bool
    private let isTerminal: Bool
    /// The beginning of an incomplete character or line end.
    private var rest: [UInt8] = []

    /// - Parameter isProblem: whether it goes to standard error.
    init(isProblem: Bool) {
        self.isProblem = isProblem
        isTerminal = isatty(isProblem ? STDERR_FILENO : STDOUT_FILENO) == 1
    }

    mutating func write(_ bytes: UnsafeRawBufferPointer) {
        guard isTerminal else { return say(bytes) }
        let text = rest + bytes
        let count = Self.wholeCount(text)
        rest = Array(text[count...])
        show(text[..<count])
    }

    /// Ends the body.
    mutating func end() {
        show(rest[...])
        rest = []
    }

    private func show(_ text: ArraySlice<UInt8>) {
        if text.isEmpty { return }
        Array(String(decoding: text, as: UTF8.self).printableLines.utf8).withUnsafeBytes { say($0) }
    }

    private func say(_ bytes: UnsafeRawBufferPointer) {
        if isProblem { Say.error(bytes) } else { Say.output(bytes) }
    }

    /// Number of bytes in whole characters (RFC 3629 §3) and whole line ends.
    private static func wholeCount(_ text: [UInt8]) -> Int {
        if text.last == UInt8(ascii: "\r") { return text.count - 1 }
        for (back, byte) in zip(1...3, text.reversed()) where byte & 0xC0 != 0x80 {
            let length = byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
            return length > back ? text.count - back : text.count
        }
        return text.count
    }
}
