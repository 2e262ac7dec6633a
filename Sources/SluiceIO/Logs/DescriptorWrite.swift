#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// Writing to a descriptor that we share with other processes, and so may not make non-blocking: that would change it
/// for all of them (open(2), "open file description").
enum DescriptorWrite {
    /// A pipe that is ready takes this much without blocking (pipe(7), PIPE_BUF).
    private static let pieceBytes = 4096

    /// Writes all of `bytes`, a piece at a time where the descriptor is no file, each once there is room for it.
    /// - Parameter patienceMilliseconds: how long room is waited for; negative is for ever.
    /// - Returns: how much was written, and why that is not all.
    static func all(
        _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, patienceMilliseconds: Int32
    ) -> (written: Int, error: Int32?) {
        let most = isFile(descriptor) ? bytes.count : pieceBytes
        var written = 0
        while written < bytes.count {
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            let count = poll(&ready, 1, patienceMilliseconds)
            if count == 0 { return (written, EAGAIN) }
            let result =
                count < 0 ? -1 : write(descriptor, bytes.baseAddress! + written, min(most, bytes.count - written))
            if result > 0 {
                written += result
            } else if result == 0 || (errno != EINTR && errno != EAGAIN) {
                return (written, result == 0 ? EIO : errno)
            }
        }
        return (written, nil)
    }

    private static func isFile(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
