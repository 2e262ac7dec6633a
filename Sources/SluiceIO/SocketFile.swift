internal import Synchronization
internal import Glibc

/// The files of the Unix sockets that this process listens on. Another daemon may have taken a path over since: a file
/// that is not ours stays.
enum SocketFile {
    /// A file that a socket is bound to is not freed, so that its number is given to no other one.
    private struct Identity: Equatable {
        let device: dev_t
        let inode: ino_t

        /// nil where there is no file.
        init?(_ path: String) {
            var status = stat()
            guard lstat(path, &status) == 0 else { return nil }
            (device, inode) = (status.st_dev, status.st_ino)
        }
    }

    /// By the descriptors of the sockets.
    private static let known = Mutex<[Int32: Identity]>([:])

    /// To be called once `descriptor` is bound to `path`.
    static func remember(_ path: String, of descriptor: Int32) {
        let identity = Identity(path)
        known.withLock { $0[descriptor] = identity }
    }

    /// Removes the file of `descriptor`, which is still open, where it is the one at `path`.
    static func remove(_ path: String, of descriptor: Int32) {
        let own = known.withLock { $0.removeValue(forKey: descriptor) }
        if let own, Identity(path) == own { unlink(path) }
    }
}
