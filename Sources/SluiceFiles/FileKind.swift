internal import Glibc

/// The kind of file at a path, with all links followed.
public enum FileKind: Hashable, Sendable {
    /// A regular file and its size.
    case file(bytes: Int)
    case folder
    /// A pipe, a socket, a device: reading it may have no end.
    case other

    /// - Returns: nil if there is no file at the path.
    public init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG: self = .file(bytes: Int(status.st_size))
        case S_IFDIR: self = .folder
        default: self = .other
        }
    }
}
