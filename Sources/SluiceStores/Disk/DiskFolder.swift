internal import SluiceCache
internal import Synchronization
internal import Glibc

/// The folder of the disk tier: closed to others, used by one process at a time, with the secret of the keys and the
/// counters of invalidations beside the database.
///
///     PATH/lock          held as long as the process lives; its process id
///     PATH/secret        16 bytes
///     PATH/invalidations counters
///     PATH/cache.db      SQLite, with its -wal
final class DiskFolder: Sendable {
    let path: String
    /// The keys of the hash that names entries.
    let secret: (UInt64, UInt64)
    /// Recorded in a file: an invalidation is on record the moment it is made, whatever becomes of the process.
    let epochs: Epochs
    /// Known invalidations of other gateways; recorded beside the counters.
    let marks: SharedMarks
    /// Our invalidations that the shared store has not heard of, as found in the folder; recorded beside the counters.
    let untold: UntoldMarks
    private let counters: CounterFile
    /// Whether `secret` is the folder's own.
    private let isSecretOurs: Bool
    /// Keeps the lock.
    private let lock: Mutex<Int32?>

    /// - Parameter secret: the secret of the keys, where it is agreed upon with other gateways.
    init(_ path: String, secret agreed: (UInt64, UInt64)?) throws(StoreFailure) {
        self.path = path
        try Self.make(path)
        let descriptor = try Self.takeLock(path + "/lock")
        lock = Mutex(descriptor)
        isSecretOurs = agreed == nil
        do throws(StoreFailure) {
            secret = if let agreed { agreed } else { try Self.secret(path + "/secret") }
            var contents: CounterFile.Contents?
            let counters = try CounterFile(path + "/invalidations") { contents = $0 }
            self.counters = counters
            epochs = Epochs(counts: contents?.counts ?? []) { counters.record($0, $1) }
            marks = SharedMarks(words: contents?.words ?? []) { counters.record($0, $1) }
            untold = UntoldMarks(contents?.untold ?? []) { counters.record($0, isUntold: $1) }
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit { unlock() }

    /// Which secret and which counters the entries of a database belong to.
    var identity: UInt64 {
        var hash = SipHash(secret.0, secret.1)
        hash.combine(counters.serial)
        return hash.finish().0
    }

    /// Leaves the folder to another process. Invalidations are still counted in memory, but no longer stored.
    func unlock() {
        counters.end()
        let descriptor = lock.withLock { lock in
            defer { lock = nil }
            return lock
        }
        if let descriptor { close(descriptor) }
    }

    /// Waits until the counters are on the disk.
    func sync() { counters.sync() }

    // MARK: - Damage

    /// State of the folder while it is in use.
    enum Condition {
        case whole
        /// The counters' file is gone, or not what was written.
        case countersLost
        /// The folder was removed, renamed or replaced.
        case lost
    }

    var condition: Condition {
        let isOurs = lock.withLock { lock in
            guard let lock, let held = FileIdentity(descriptor: lock) else { return false }
            return FileIdentity(path + "/lock") == held
        }
        if !isOurs { return .lost }
        return counters.isWhole ? .whole : .countersLost
    }

    /// Writes the counters anew, from memory.
    func renewCounters() throws(StoreFailure) {
        try counters.renew(epochs, keepsSerial: true)
    }

    /// Starts over in the folder at the path. Entries in it, or in the old one, are void.
    func renew() throws(StoreFailure) {
        counters.spoil()
        unlock()
        try Self.make(path)
        let descriptor = try Self.takeLock(path + "/lock")
        do throws(StoreFailure) {
            if isSecretOurs { try Self.keep(secret, at: path + "/secret") }
            try counters.renew(epochs, keepsSerial: false)
        } catch {
            close(descriptor)
            throw error
        }
        lock.withLock { $0 = descriptor }
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
        // A user who may write there can replace our files.
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

    // MARK: - The secret

    /// The secret in the file; a new one where there is none that is whole.
    private static func secret(_ path: String) throws(StoreFailure) -> (UInt64, UInt64) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure(path, "cannot be opened") }
        defer { close(descriptor) }
        var words: [UInt64] = [0, 0]
        if pread(descriptor, &words, 16, 0) == 16, words != [0, 0] { return (words[0], words[1]) }
        var random = SystemRandomNumberGenerator()
        let secret = (random.next(), random.next())
        try keep(secret, at: path)
        return secret
    }

    private static func keep(_ secret: (UInt64, UInt64), at path: String) throws(StoreFailure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure(path, "cannot be opened") }
        defer { close(descriptor) }
        guard pwrite(descriptor, [secret.0, secret.1], 16, 0) == 16 else { throw failure(path, "cannot be written") }
    }
}
