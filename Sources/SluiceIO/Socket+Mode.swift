internal import SluiceSockets
internal import Glibc

extension Socket {
    /// Sets the permissions of a Unix socket, and not of what may have taken its place.
    /// - Returns: errno, or 0.
    static func setMode(_ mode: Int, at path: String) -> Int32 {
        var status = stat()
        guard lstat(path, &status) == 0 else { return errno }
        guard status.st_mode & S_IFMT == S_IFSOCK else { return ENOTSOCK }
        return chmod(path, mode_t(mode)) == 0 ? 0 : errno
    }
}
