internal import SluiceFiles
internal import Glibc

/// The disk of the operating system.
public struct SystemDisk: StateDisk {
    public init() {}

    public func prepare(_ folder: String) throws(StateFault) {
        var made = folder.hasPrefix("/") ? "/" : ""
        for part in folder.split(separator: "/") {
            made += "\(part)/"
            if mkdir(made, 0o700) != 0, errno != EEXIST {
                throw StateFault(
                    "the folder '\(folder)' cannot be made: \(Self.reason()); name another one with 'state:'")
            }
        }
        var facts = stat()
        guard stat(folder, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else {
            throw StateFault("'\(folder)' is no folder; name another one with 'state:'")
        }
        if facts.st_uid != geteuid(), geteuid() != 0 {
            throw StateFault("the folder '\(folder)' belongs to another user; name another one with 'state:'")
        }
        if facts.st_mode & 0o022 != 0 {
            throw StateFault("the folder '\(folder)' can be changed by others; run: chmod go-w \(folder)")
        }
    }

    public func lock(_ file: String, in folder: String) throws(StateFault) -> StateLock? {
        let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StateFault("the lock '\(file)' cannot be opened: \(Self.reason())") }
        Self.giveToOwner(descriptor, of: folder)
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return StateLock { close(descriptor) } }
        let code = errno
        close(descriptor)
        if code == EWOULDBLOCK || code == EINTR { return nil }
        throw StateFault("the lock '\(file)' cannot be taken: \(String(cString: strerror(code)))")
    }

    public func read(_ file: String, atMost countMax: Int) throws(StateFault) -> StateFile? {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            let isPassing = [EMFILE, ENFILE, EIO, EINTR, ENOMEM, EAGAIN].contains(errno)
            throw StateFault("'\(file)' cannot be read: \(Self.reason())", mayPass: isPassing)
        }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw StateFault("'\(file)' is no file")
        }
        guard facts.st_size <= countMax, let bytes = Self.contents(descriptor, atMost: countMax) else {
            throw StateFault("'\(file)' cannot be read", mayPass: facts.st_size <= countMax)
        }
        return StateFile(bytes, isOpenToOthers: facts.st_mode & 0o077 != 0)
    }

    public func write(_ bytes: [UInt8], to file: String, in folder: String) throws(StateFault) {
        unlink(file)
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StateFault("'\(file)' cannot be written: \(Self.reason())") }
        Self.giveToOwner(descriptor, of: folder)
        var failure = bytes.withUnsafeBytes {
            DescriptorWrite.all($0, to: descriptor, patienceMilliseconds: -1).error
        }
        if failure == nil, fsync(descriptor) != 0 { failure = errno }
        close(descriptor)
        guard let failure else { return }
        unlink(file)
        throw StateFault("'\(file)' cannot be written: \(String(cString: strerror(failure)))")
    }

    public func rename(_ file: String, to name: String) throws(StateFault) {
        if renameFile(file, name) == 0 { return }
        // The new file stays: it may hold the only refresh token of a sign-in.
        throw StateFault("'\(name)' cannot be written: \(Self.reason())")
    }

    public func remove(_ file: String) throws(StateFault) {
        if unlink(file) != 0, errno != ENOENT { throw StateFault("'\(file)' cannot be removed: \(Self.reason())") }
    }

    public func syncFolder(_ folder: String) throws(StateFault) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StateFault("'\(folder)' cannot be opened: \(Self.reason())") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw StateFault("'\(folder)' cannot be written: \(Self.reason())") }
    }

    /// Gives files that root creates in the folder of another user's daemon to that user.
    private static func giveToOwner(_ descriptor: Int32, of folder: String) {
        var facts = stat()
        guard geteuid() == 0, stat(folder, &facts) == 0, facts.st_uid != 0 else { return }
        _ = fchown(descriptor, facts.st_uid, facts.st_gid)
    }

    private static func contents(_ descriptor: Int32, atMost countMax: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16 << 10)
        while bytes.count <= countMax {
            let count = readPiece(descriptor, &piece, piece.count)
            if count < 0 {
                if errno == EINTR { continue }
                return nil
            }
            if count == 0 { return bytes }
            bytes += piece[..<count]
        }
        return nil
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}

// The functions of the system, which the methods of the same names hide.

private func readPiece(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}

private func renameFile(_ file: String, _ name: String) -> Int32 { rename(file, name) }
