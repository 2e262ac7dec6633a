public import SluiceContract
internal import SluiceFiles
internal import SluiceSigning
internal import Glibc

/// The folder where tokens are stored: a file for each credential, and a lock file for its renewal. All daemons and
/// commands with the same folder share them.
///
/// Its calls read and write files, so they belong on a thread of their own.
public struct StateFolder: Sendable {
    public let path: String
    /// Seals the files; nil where only the permissions of the file system protect them.
    private let box: SealedBox?
    private let disk: any StateDisk

    /// - Parameters:
    ///   - key: 32 bytes to seal the files with.
    ///   - disk: the disk that the folder is on.
    public init(_ path: String, key: [UInt8]? = nil, on disk: any StateDisk = SystemDisk()) throws(StateFault) {
        self.path = path
        self.disk = disk
        do {
            box = try key.map { try SealedBox(key: SecretBytes($0)) }
        } catch {
            throw StateFault("the key of the state folder has \(key?.count ?? 0) bytes and not \(SealedBox.keyBytes)")
        }
    }

    /// The default folder, where the configuration names none: that of the service manager, or the user's.
    public static func usual(_ environment: (String) -> String?) -> String? {
        if let folders = environment("STATE_DIRECTORY"), let first = folders.split(separator: ":").first {
            return String(first)
        }
        if let home = environment("XDG_STATE_HOME"), home.hasPrefix("/") { return home + "/sluice" }
        return environment("HOME").map { $0 + "/.local/state/sluice" }
    }

    /// The folder of a configuration; nil where neither the configuration nor the environment names one.
    public init?(of configuration: Configuration) throws(StateFault) {
        func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        guard let path = configuration.state ?? Self.usual(variable) else { return nil }
        let directory = variable("CREDENTIALS_DIRECTORY")
        try self.init(
            path,
            key: try configuration.stateKey.map { file throws(StateFault) in try Self.key(in: file.path, directory) })
    }

    private static func key(in file: String, _ credentialsDirectory: String?) throws(StateFault) -> [UInt8] {
        let bytes: [UInt8]
        do throws(TokenFileError) {
            bytes = try TokenReader.bytes(path: file, credentialsDirectory: credentialsDirectory)
        } catch {
            throw StateFault("the key of the state folder cannot be read: \(error)")
        }
        if let key = StateKey.read(bytes) { return key }
        throw StateFault("'state-key': file '\(file)' holds no key; it has to hold \(StateKey.wanted)")
    }

    public func file(of name: String) -> String { "\(path)/\(name).token" }

    /// Makes the folder if it is missing, with access for its owner only.
    public func prepare() throws(StateFault) { try disk.prepare(path) }

    // MARK: - Locks

    /// The longest wait for a lock. A process that holds it longer is stuck, or waits for an answer that must not be
    /// lost.
    public static let lockWait = Duration.seconds(45)

    /// Takes the lock of a credential, which all daemons and commands respect.
    ///
    /// The stored record is about to be used, and may have been renamed by a process that died before the new name was
    /// synced: a power cut would bring back the record before it, whose refresh token has been used. So the folder is
    /// synced here.
    /// - Returns: nil while another process or task holds the lock.
    public func lock(_ name: String) throws(StateFault) -> StateLock? {
        try prepare()
        guard let lock = try disk.lock("\(path)/\(name).lock", in: path) else { return nil }
        try takeUpSuccessor(of: name)
        try disk.syncFolder(path)
        return lock
    }

    /// Takes up a record that a process wrote but did not rename before it died: where the server has replaced a
    /// refresh token for one use, the new token is in that file alone.
    private func takeUpSuccessor(of name: String) throws(StateFault) {
        let file = file(of: name)
        let content: StateFile?
        do throws(StateFault) {
            content = try disk.read(file + ".new", atMost: Self.recordBytesMax)
            if content == nil { return }
        } catch {
            if error.mayPass { throw error }
            content = nil
        }
        // Both may be from before there was a key to seal them with; the next reader says so.
        let successor = content.flatMap { $0.isOpenToOthers ? nil : $0.bytes }
            .flatMap { try? record(in: $0, name, file, mayBeUnsealed: true) }
        let stored: TokenRecord?
        // The next reader reports a file that cannot be read; until then the file beside it is not touched.
        do throws(StateFault) { stored = try load(name, mayBeUnsealed: true) } catch { return }
        if stored == nil, let content, content.bytes.count >= SealedBox.boxBytesMin, isSealedByOther(content, name) {
            throw StateFault(
                "'\(file).new' is sealed with another key, and nothing else is left of a sign-in; "
                    + "name the file with its key with 'state-key:', or remove it and run: sluice login \(name)")
        }
        let follows = stored.map { stored in
            successor?.family == stored.family && successor?.serial == stored.nextSerial
        }
        if successor != nil, follows != false {
            try disk.rename(file + ".new", to: file)
        } else {
            try disk.remove(file + ".new")
        }
    }

    // MARK: - Records

    /// The stored record of a credential; nil where there is none.
    /// - Parameter mayBeUnsealed: whether a record from before there was a key to seal it with is read, too.
    /// - Throws: if a record exists and cannot be read. It is not overwritten.
    public func load(_ name: String, mayBeUnsealed: Bool = false) throws(StateFault) -> TokenRecord? {
        let file = file(of: name)
        guard let content = try disk.read(file, atMost: Self.recordBytesMax) else { return nil }
        if content.isOpenToOthers { throw StateFault("'\(file)' is open to others; run: chmod 600 \(file)") }
        return try record(in: content.bytes, name, file, mayBeUnsealed: mayBeUnsealed)
    }

    private func record(
        in bytes: [UInt8], _ name: String, _ file: String, mayBeUnsealed: Bool
    ) throws(StateFault) -> TokenRecord {
        guard let record = TokenRecord(json: try opened(bytes, name, file, mayBeUnsealed: mayBeUnsealed)) else {
            throw Self.damage(name, file)
        }
        return record
    }

    private static func damage(_ name: String, _ file: String) -> StateFault {
        StateFault("'\(file)' is damaged; remove it and run: sluice login \(name)", isDamage: true)
    }

    private func opened(
        _ bytes: [UInt8], _ name: String, _ file: String, mayBeUnsealed: Bool
    ) throws(StateFault) -> [UInt8] {
        guard SealedBox.isSealed(bytes) else {
            if box == nil || mayBeUnsealed { return bytes }
            if TokenRecord(json: bytes) == nil { throw Self.damage(name, file) }
            throw StateFault("'\(file)' is not sealed, and 'state-key' is set; run: sluice login \(name)")
        }
        guard let box else { throw StateFault("'\(file)' is sealed; name the file with its key with 'state-key:'") }
        do {
            return try box.open(bytes, context: Array(name.utf8)).withUnsafeBytes { Array($0) }
        } catch {
            throw StateFault("'\(file)' cannot be opened: \(error)")
        }
    }

    /// Replaces the stored record: a reader finds the old or the new one, complete, even after a crash.
    public func save(_ record: TokenRecord, of name: String) throws(StateFault) {
        try prepare()
        try refuseOtherKey(of: name)
        // An earlier attempt may have left this file when its rename failed. Writing a new one removes it first, and a
        // process that dies then would lose the newest refresh token.
        try takeUpSuccessor(of: name)
        // Configurations without `state:` share a folder, and may use the same name for different credentials.
        if let stored = try? load(name, mayBeUnsealed: true),
            stored.server != record.server || stored.clientID != record.clientID
        {
            try refuse(stored, of: name)
        }
        var bytes = record.json
        if let box { bytes = bytes.withUnsafeBytes { box.seal($0, context: Array(name.utf8)) } }
        let file = file(of: name)
        guard bytes.count <= Self.recordBytesMax else {
            throw StateFault(
                "'\(file)' would have \(bytes.count) bytes, and a record has at most \(Self.recordBytesMax)")
        }
        try disk.write(bytes, to: file + ".new", in: path)
        try disk.rename(file + ".new", to: file)
        // Until the folder is synced, a crash may lose the new name, though not the file's content (fsync(2)).
        try disk.syncFolder(path)
    }

    /// Refuses to replace another client's sign-in, or what another key has sealed: a refresh token would be lost.
    public func makeRoom(for client: OAuth2Client, of name: String) throws(StateFault) {
        try refuseOtherKey(of: name)
        if let stored = try? load(name, mayBeUnsealed: true), stored.isForeign(to: client) {
            try refuse(stored, of: name)
        }
    }

    /// Makes sure that another record can be stored, before the server is shown a token that it may replace: with a
    /// full disk, the new one would be lost. To be called with the lock.
    public func makeRoom(of name: String) throws(StateFault) {
        let file = file(of: name) + ".room"
        try disk.write([UInt8](repeating: 0, count: Self.roomBytes), to: file, in: path)
        try disk.remove(file)
    }

    /// A file that cannot be opened must not be replaced: it may be sealed with another key.
    private func refuseOtherKey(of name: String) throws(StateFault) {
        let stored: StateFile?
        do throws(StateFault) {
            stored = try disk.read(file(of: name), atMost: Self.recordBytesMax)
        } catch {
            // Whose it is can be told in a moment.
            if error.mayPass { throw error }
            return
        }
        if let stored, isSealedByOther(stored, name) {
            throw StateFault(
                "'\(file(of: name))' is sealed with another key; name the file with its key with 'state-key:', or "
                    + "remove it and run: sluice login \(name)")
        }
    }

    private func refuse(_ stored: TokenRecord, of name: String) throws(StateFault) {
        guard stored.isSignIn else { return }
        throw StateFault(
            "'\(file(of: name))' holds what \(stored.owner) has signed in for; give one of the two another name, or "
                + "another folder with 'state:', or remove the file", isForeign: true)
    }

    private func isSealedByOther(_ content: StateFile, _ name: String) -> Bool {
        SealedBox.isSealed(content.bytes)
            && box.flatMap { try? $0.open(content.bytes, context: Array(name.utf8)) } == nil
    }

    /// Removes the record of a credential.
    public func remove(_ name: String) throws(StateFault) {
        // First this file, or the next process with the lock would take it for the stored record after a crash.
        try disk.remove(file(of: name) + ".new")
        try disk.remove(file(of: name))
        try disk.syncFolder(path)
    }

    /// A record has the tokens and the scope of an answer, the refresh token before, and perhaps the scope of an
    /// earlier answer; and an answer of a token endpoint has 256 KiB at most.
    private static let recordBytesMax = 1 << 20
    /// Few records are longer: an access token has 16 KiB at most, and most tokens have one or two.
    private static let roomBytes = 64 << 10
}
