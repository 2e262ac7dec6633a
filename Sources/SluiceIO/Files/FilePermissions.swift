#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// Who may read and change a file that holds a secret.
enum FilePermissions {
    /// What is wrong with the permissions; nil where nothing is.
    ///
    /// A file that others than its owner and group can read is no secret, and one that others can write is not ours.
    /// Under `$CREDENTIALS_DIRECTORY` the service manager has seen to that: the directory is closed, whatever the modes
    /// in it say.
    static func objection(to status: stat, path: String, credentialsDirectory: String?) -> String? {
        if let credentialsDirectory, isInside(path, credentialsDirectory) { return nil }
        if status.st_uid != geteuid(), status.st_uid != 0 {
            return "is owned by another user (uid \(status.st_uid)); chown it to the user that the gateway runs as"
        }
        if status.st_mode & 0o022 != 0 { return "can be written by others; chmod go-w it" }
        if status.st_mode & 0o004 != 0 { return "can be read by everybody; chmod o-r it" }
        return nil
    }

    /// The path with every link and `..` resolved; nil where it leads nowhere.
    static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func isInside(_ path: String, _ directory: String) -> Bool {
        guard let path = realPath(path), let directory = realPath(directory) else { return false }
        return path.hasPrefix(directory == "/" ? "/" : directory + "/")
    }
}
