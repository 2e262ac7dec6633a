internal import Glibc

/// Writing to a descriptor that we share with other processes, and so may not make non-blocking: that would change it
/// for all of them (open(2), "open file description").
public enum DescriptorWrite {
    /// A pipe that is ready takes this much without blocking (pipe(7), PIPE_BUF).
    private static let pieceBytes = 4096

    /// Writes all of `bytes`, a piece at a time where the descriptor is no file, each once there is room for it.
    /// - Parameter patienceMilliseconds: how long room is waited for; negative is for ever.
    /// - Returns: how much was written, and why that is not all.
    public static func all(
        _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, patienceMilliseconds: Int32
    ) -> (written: Int, error: Int32?) {
        let isFile = isFile(descriptor)
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let piece = isFile ? rest.count : pieceCount(of: rest)
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            let count = poll(&ready, 1, patienceMilliseconds)
            if count == 0 { return (written, EAGAIN) }
            let result = count < 0 ? -1 : write(descriptor, rest.baseAddress, piece)
            if result > 0 {
                written += result
            } else if result == 0 || (errno != EINTR && errno != EAGAIN) {
                return (written, result == 0 ? EIO : errno)
            }
        }
        return (written, nil)
    }

    /// Whole lines, where they fill half a piece or more: others may write to the same pipe.
    private static func pieceCount(of bytes: UnsafeRawBufferPointer) -> Int {
        if bytes.count <= pieceBytes { return bytes.count }
        return bytes[(pieceBytes / 2)..<pieceBytes].lastIndex(of: 0x0A).map { $0 + 1 } ?? pieceBytes
    }

    private static func isFile(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
