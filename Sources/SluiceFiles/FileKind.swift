internal import Glibc

/// What a path leads to, once all links are followed.
public enum FileKind: Hashable, Sendable {
    /// Of so many bytes.
    case file(bytes: Int)
    case folder
    /// A pipe, a socket, a device: reading it may have no end.
    case other

    /// - Returns: nil where it leads nowhere.
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
