internal import Glibc

/// Writes to a descriptor that is shared with other processes, and so must not be made non-blocking: that would change
/// it for all of them (open(2), "open file description").
public enum DescriptorWrite {
    /// A pipe that is ready takes this many bytes without blocking (pipe(7), PIPE_BUF).
    private static let pieceBytes = 4096

    /// Writes all of `bytes`. Unless the descriptor is a file, they are written in pieces, each once there is room for
    /// it.
    /// - Parameter patienceMilliseconds: how long to wait for room; negative is for ever.
    /// - Returns: how many bytes were written, and the errno if that is not all.
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

    /// The size of the next piece: whole lines if they fill half a piece or more, because other processes may write to
    /// the same pipe.
    private static func pieceCount(of bytes: UnsafeRawBufferPointer) -> Int {
        if bytes.count <= pieceBytes { return bytes.count }
        return bytes[(pieceBytes / 2)..<pieceBytes].lastIndex(of: 0x0A).map { $0 + 1 } ?? pieceBytes
    }

    private static func isFile(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
