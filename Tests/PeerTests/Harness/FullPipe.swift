import Glibc

/// A pipe that is full, and that nobody reads before the test does. Whoever inherits it blocks when writing.
final class FullPipe: Sendable {
    /// The end to write to.
    let input: Int32
    private let output: Int32

    init() {
        var ends: [Int32] = [0, 0]
        Spawn.withoutSpawning {
            let made = pipe(&ends) == 0
            precondition(made, "pipe: \(errorText())")
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        }
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        (output, input) = (ends[0], ends[1])
        let zeros = [UInt8](repeating: UInt8(ascii: "-"), count: 4096)
        while write(input, zeros, zeros.count) > 0 {}
        // Of all who share it, as a shell's pipe is.
        for end in ends { _ = fcntl(end, F_SETFL, 0) }
    }

    deinit {
        close(input)
        close(output)
    }

    /// Reads until `text` has come, whatever else does.
    func read(until text: String) throws -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.firstRange(of: Array(text.utf8)) == nil {
            var entry = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, Patience.milliseconds) > 0 else { throw HarnessError("'\(text)' never came") }
            let count = Glibc.read(output, &buffer, buffer.count)
            guard count > 0 else { throw HarnessError("the pipe ended without '\(text)'") }
            bytes += buffer.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
