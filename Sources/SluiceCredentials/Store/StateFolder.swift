public import SluiceContract
internal import SluiceFiles
internal import SluiceSigning
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// Why the state folder cannot be used; in words for people that say what to do.
public struct StateFault: Error, Hashable, Sendable, CustomStringConvertible {
    public var description: String
    /// Whether it may be better in a moment, without anybody doing anything.
    public var mayPass: Bool

    public init(_ description: String, mayPass: Bool = false) {
        self.description = description
        self.mayPass = mayPass
    }
}

/// The folder where tokens are kept: a file for each credential, and a file that is locked while it is renewed. Every
/// daemon and command that is given the same folder shares them.
///
/// Its calls read and write files, and so belong on a thread of their own.
public struct StateFolder: Sendable {
    public let path: String
    /// Seals the files; nil leaves them to the permissions of the file system.
    private let box: SealedBox?

    /// - Parameter key: 32 bytes that the files are sealed with.
    public init(_ path: String, key: [UInt8]? = nil) throws(StateFault) {
        self.path = path
        do {
            box = try key.map { try SealedBox(key: SecretBytes($0)) }
        } catch {
            throw StateFault("the key of the state folder has \(key?.count ?? 0) bytes and not \(SealedBox.keyBytes)")
        }
    }

    /// The folder that applies where the page names none: that of the service manager, or the user's.
    public static func usual(_ environment: (String) -> String?) -> String? {
        if let folders = environment("STATE_DIRECTORY"), let first = folders.split(separator: ":").first {
            return String(first)
        }
        if let home = environment("XDG_STATE_HOME"), home.hasPrefix("/") { return home + "/sluice" }
        return environment("HOME").map { $0 + "/.local/state/sluice" }
    }

    /// The folder of a configuration; nil where it names none, and neither does the environment.
    public init?(of configuration: Configuration) throws(StateFault) {
        func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        guard let path = configuration.state ?? Self.usual(variable) else { return nil }
        let directory = variable("CREDENTIALS_DIRECTORY")
        try self.init(
            path,
            key: try configuration.stateKey.map { file throws(StateFault) in try Self.key(in: file.path, directory) })
    }

    /// 32 bytes as they are, or in hexadecimal digits.
    private static func key(in file: String, _ credentialsDirectory: String?) throws(StateFault) -> [UInt8] {
        let bytes: [UInt8]
        do throws(TokenFileError) {
            bytes = try TokenReader.bytes(path: file, credentialsDirectory: credentialsDirectory)
        } catch {
            throw StateFault("the key of the state folder cannot be read: \(error)")
        }
        let digits = bytes.filter { $0 > 0x20 }
        guard bytes.count != SealedBox.keyBytes, digits.count == 2 * SealedBox.keyBytes else { return bytes }
        let key = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
        return key
    }

    public func file(of name: String) -> String { "\(path)/\(name).token" }

    // MARK: - The folder

    /// Makes the folder, closed to others, where it is missing.
    public func prepare() throws(StateFault) {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += "\(part)/"
            if mkdir(made, 0o700) != 0, errno != EEXIST {
                throw StateFault(
                    "the folder '\(path)' cannot be made: \(Self.reason()); name another one with 'state:'")
            }
        }
        var facts = stat()
        guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else {
            throw StateFault("'\(path)' is no folder; name another one with 'state:'")
        }
        if facts.st_uid != geteuid(), geteuid() != 0 {
            throw StateFault("the folder '\(path)' belongs to another user; name another one with 'state:'")
        }
        if facts.st_mode & 0o022 != 0 {
            throw StateFault("the folder '\(path)' can be changed by others; run: chmod go-w \(path)")
        }
    }

    // MARK: - Locks

    /// Whoever holds a lock for longer is stuck.
    public static let lockWait = Duration.seconds(45)

    /// Takes the lock of a credential, which all daemons and commands respect.
    /// - Returns: nil while somebody else has it.
    public func lock(_ name: String) throws(StateFault) -> StateLock? {
        try prepare()
        let descriptor = open("\(path)/\(name).lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StateFault("the lock of '\(name)' cannot be opened: \(Self.reason())") }
        giveToOwner(descriptor)
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return StateLock(descriptor) }
        let code = errno
        close(descriptor)
        if code == EWOULDBLOCK || code == EINTR { return nil }
        throw StateFault("the lock of '\(name)' cannot be taken: \(String(cString: strerror(code)))")
    }

    // MARK: - Records

    /// What is stored of a credential; nil where there is nothing.
    /// - Throws: where there is something that cannot be read. Nothing is written over it.
    public func load(_ name: String) throws(StateFault) -> TokenRecord? {
        let file = file(of: name)
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
        if facts.st_mode & 0o077 != 0 { throw StateFault("'\(file)' is open to others; run: chmod 600 \(file)") }
        guard facts.st_size <= Self.recordBytesMax, let bytes = Self.contents(descriptor) else {
            throw StateFault("'\(file)' cannot be read", mayPass: facts.st_size <= Self.recordBytesMax)
        }
        let plain = try opened(bytes, name, file)
        guard let record = TokenRecord(json: plain) else {
            throw StateFault("'\(file)' is damaged; remove it and run: sluice login \(name)")
        }
        return record
    }

    private func opened(_ bytes: [UInt8], _ name: String, _ file: String) throws(StateFault) -> [UInt8] {
        guard SealedBox.isSealed(bytes) else {
            if box == nil { return bytes }
            throw StateFault("'\(file)' is not sealed, and 'state-key' is set; run: sluice login \(name)")
        }
        guard let box else { throw StateFault("'\(file)' is sealed; name the file with its key with 'state-key:'") }
        do {
            return try box.open(bytes, context: Array(name.utf8)).withUnsafeBytes { Array($0) }
        } catch {
            throw StateFault("'\(file)' cannot be opened: \(error)")
        }
    }

    /// Puts a record in the place of the one before: whoever reads finds one of the two, whole, also after a crash.
    public func save(_ record: TokenRecord, of name: String) throws(StateFault) {
        try prepare()
        // What cannot be opened is not ours to replace: it may be sealed with another key.
        if isSealedByOther(name) { throw StateFault("'\(file(of: name))' is sealed with another key") }
        var bytes = record.json
        if let box { bytes = bytes.withUnsafeBytes { box.seal($0, context: Array(name.utf8)) } }
        let file = file(of: name)
        let fresh = file + ".new"
        unlink(fresh)
        let descriptor = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StateFault("'\(fresh)' cannot be written: \(Self.reason())") }
        giveToOwner(descriptor)
        let isWritten = Self.write(bytes, to: descriptor) && fsync(descriptor) == 0
        let failure = errno
        close(descriptor)
        guard isWritten, rename(fresh, file) == 0 else {
            let reason = String(cString: strerror(isWritten ? errno : failure))
            unlink(fresh)
            throw StateFault("'\(file)' cannot be written: \(reason)")
        }
        try syncFolder()
    }

    private func isSealedByOther(_ name: String) -> Bool {
        let descriptor = open(file(of: name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard let bytes = Self.contents(descriptor), SealedBox.isSealed(bytes) else { return false }
        return box.flatMap { try? $0.open(bytes, context: Array(name.utf8)) } == nil
    }

    /// What root makes in the folder of another user's daemon is that user's.
    private func giveToOwner(_ descriptor: Int32) {
        var facts = stat()
        guard geteuid() == 0, stat(path, &facts) == 0, facts.st_uid != 0 else { return }
        _ = fchown(descriptor, facts.st_uid, facts.st_gid)
    }

    /// Forgets a credential.
    public func remove(_ name: String) throws(StateFault) {
        let file = file(of: name)
        if unlink(file) != 0, errno != ENOENT { throw StateFault("'\(file)' cannot be removed: \(Self.reason())") }
        try syncFolder()
    }

    /// Until then a new name may be lost in a crash, though its file is not (fsync(2)).
    private func syncFolder() throws(StateFault) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StateFault("'\(path)' cannot be opened: \(Self.reason())") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw StateFault("'\(path)' cannot be written: \(Self.reason())") }
    }

    private static let recordBytesMax = 256 << 10

    private static func contents(_ descriptor: Int32) -> [UInt8]? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16 << 10)
        while bytes.count <= recordBytesMax {
            let count = read(descriptor, &piece, piece.count)
            if count < 0 {
                if errno == EINTR { continue }
                return nil
            }
            if count == 0 { return bytes }
            bytes += piece[..<count]
        }
        return nil
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { writePiece(descriptor, $0) }
            if count < 0 {
                if errno == EINTR { continue }
                return false
            }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}

/// A lock that is held; it ends with this, and with the process.
public final class StateLock: Sendable {
    private let descriptor: Int32

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}

/// write(2), which the method of the same name hides.
private func writePiece(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
