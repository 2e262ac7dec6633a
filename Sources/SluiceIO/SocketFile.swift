internal import CLinux
internal import SluiceSockets
internal import Glibc

/// The file of a Unix socket that this process listens on. Another daemon may have taken its path over since: a file
/// that is not ours stays as it is.
struct SocketFile: Equatable {
    private let path: String
    // A file that a socket is bound to is not freed: as long as the socket is open, no other file has these numbers.
    private let device: dev_t
    private let inode: ino_t

    /// What is at `path`, to which a socket has just been bound; nil where there is nothing.
    init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.path = path
        (device, inode) = (status.st_dev, status.st_ino)
    }

    /// Removes it, where it is still at its path.
    func remove() {
        if SocketFile(path) == self { unlink(path) }
    }

    /// Sets its permissions.
    /// - Returns: errno, or 0; ESTALE where something else is at its path.
    func setMode(_ mode: Int) -> Int32 {
        let place = clinux_open_place(path)
        guard place >= 0 else { return errno }
        defer { close(place) }
        var status = stat()
        guard fstat(place, &status) == 0 else { return errno }
        guard status.st_dev == device, status.st_ino == inode else { return ESTALE }
        // What has been compared, wherever the path leads by now: fchmod(2) takes no such descriptor.
        return chmod("/proc/self/fd/\(place)", mode_t(mode)) == 0 ? 0 : errno
    }

    /// Why ``setMode(_:)`` has failed.
    static func reason(_ code: Int32) -> String {
        code == ESTALE ? "something else has taken its place" : SystemCall.reason(code).lowercased()
    }
}
