internal import SluiceCache
internal import Synchronization
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// The folder of the disk tier: closed to others, used by one process at a time, with the secret of the keys and the
/// counters of invalidations beside the database.
///
///     PATH/lock          held as long as the process lives; its process id
///     PATH/secret        16 bytes
///     PATH/invalidations counters, mapped
///     PATH/cache.db      SQLite, with its -wal and -shm
final class DiskFolder: Sendable {
    let path: String
    /// The keys of the hash that names entries.
    let secret: (UInt64, UInt64)
    /// Counted in a mapped file: an invalidation is on record the moment it is made, whatever becomes of the process.
    let epochs: Epochs
    // The mapped file: stays for good.
    private nonisolated(unsafe) let mapped: UnsafeMutableRawPointer
    /// What is known of the invalidations of others; stays with the process.
    let marks: SharedMarks
    /// Which secret and which counters the entries of a database belong to.
    let identity: UInt64
    /// Keeps the lock.
    private let lock: Mutex<Int32?>

    /// - Parameter secret: what the keys are made with, where that is agreed upon with others.
    init(_ path: String, secret agreed: (UInt64, UInt64)?) throws(StoreFailure) {
        self.path = path
        try Self.make(path)
        let descriptor = try Self.takeLock(path + "/lock")
        lock = Mutex(descriptor)
        do throws(StoreFailure) {
            secret = if let agreed { agreed } else { try Self.secret(path + "/secret") }
            let (memory, serial) = try Self.map(path + "/invalidations")
            mapped = memory - Self.mapFrontBytes
            epochs = Epochs(in: memory)
            marks = SharedMarks(in: memory + Epochs.byteCount)
            var hash = SipHash(secret.0, secret.1)
            hash.combine(serial)
            identity = hash.finish().0
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit { unlock() }

    /// Leaves the folder to another process. The counters stay mapped: who counts in them may go on.
    func unlock() {
        let descriptor = lock.withLock { lock in
            defer { lock = nil }
            return lock
        }
        if let descriptor { close(descriptor) }
    }

    /// Waits until the counters are on the disk.
    func sync() {
        msync(mapped, Self.mapBytes, MS_SYNC)
    }

    func file(_ name: String) -> String { path + "/" + name }

    private static func failure(_ path: String, _ what: String, _ code: Int32 = errno) -> StoreFailure {
        StoreFailure("\(path) \(what): \(String(cString: strerror(code)))")
    }

    // MARK: - Folder and lock

    private static func make(_ path: String) throws(StoreFailure) {
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            let advice = errno == ENOENT ? "; make the folder above it, or name another in 'disk:'" : ""
            throw StoreFailure("\(path) cannot be made: \(String(cString: strerror(errno)))\(advice)")
        }
        var status = stat()
        guard stat(path, &status) == 0 else { throw failure(path, "cannot be read") }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw StoreFailure("\(path) is no folder; name a folder in 'disk:'")
        }
        // Whoever may write there may put files of his own in the place of ours.
        guard status.st_mode & 0o022 == 0, status.st_uid == geteuid() else {
            throw StoreFailure(
                "\(path) belongs to somebody else or can be written by others; chown it to the user that the gateway"
                    + " runs as, and chmod 700 it")
        }
    }

    /// A lock of the kernel's: it ends with the process, however that ends.
    private static func takeLock(_ path: String) throws(StoreFailure) -> Int32 {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure(path, "cannot be opened") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            var text = [UInt8](repeating: 0, count: 20)
            let count = max(0, pread(descriptor, &text, text.count, 0))
            close(descriptor)
            let other = String(decoding: text[..<count].filter { $0 &- 0x30 < 10 }, as: UTF8.self)
            throw StoreFailure(
                "\(path) is held by another process (\(other)); one gateway needs one folder: name another in 'disk:',"
                    + " or start this one once that has ended")
        }
        let text = Array("\(getpid())\n".utf8)
        guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, text, text.count, 0) == text.count else {
            let failure = failure(path, "cannot be written")
            close(descriptor)
            throw failure
        }
        return descriptor
    }

    // MARK: - Secret and counters

    /// The secret in the file; a new one where there is none that is whole.
    private static func secret(_ path: String) throws(StoreFailure) -> (UInt64, UInt64) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure(path, "cannot be opened") }
        defer { close(descriptor) }
        var words: [UInt64] = [0, 0]
        if pread(descriptor, &words, 16, 0) == 16, words != [0, 0] { return (words[0], words[1]) }
        var random = SystemRandomNumberGenerator()
        words = [random.next(), random.next()]
        guard pwrite(descriptor, words, 16, 0) == 16 else { throw failure(path, "cannot be written") }
        return (words[0], words[1])
    }

    private static let mapMagic: UInt64 = 0x315f_5348_434f_5045
    private static let mapFrontBytes = 64
    private static let mapBytes = mapFrontBytes + Epochs.byteCount + SharedMarks.byteCount

    /// The counters behind a magic word and a number that no other such file has.
    private static func map(_ path: String) throws(StoreFailure) -> (UnsafeMutableRawPointer, UInt64) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure(path, "cannot be opened") }
        defer { close(descriptor) }
        let count = mapBytes
        // Not by ftruncate: a page that the disk has no place for would be a signal when it is touched.
        let code = posix_fallocate(descriptor, 0, off_t(count))
        guard code == 0 else { throw failure(path, "cannot be written", code) }
        let mapped = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        guard let mapped, mapped != MAP_FAILED else { throw failure(path, "cannot be mapped") }
        let words = mapped.assumingMemoryBound(to: UInt64.self)
        if words[0] != mapMagic {
            var random = SystemRandomNumberGenerator()
            memset(mapped, 0, count)
            words[1] = random.next()
            words[0] = mapMagic
        }
        return (mapped + mapFrontBytes, words[1])
    }
}
