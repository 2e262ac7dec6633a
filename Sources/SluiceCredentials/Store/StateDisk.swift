/// The steps of storing records. A crash between two of them leaves what was synced before (fsync(2)); a simulation has
/// its own disk.
public protocol StateDisk: Sendable {
    /// Makes the folder if it is missing, with access for its owner only.
    func prepare(_ folder: String) throws(StateFault)
    /// - Returns: nil where the file does not exist.
    func read(_ file: String, atMost countMax: Int) throws(StateFault) -> StateFile?
    /// Writes a new file, with access for its owner only, in place of any left-over one. The content is synced, the
    /// name is not.
    func write(_ bytes: [UInt8], to file: String, in folder: String) throws(StateFault)
    /// Renames atomically: a reader finds either the old or the new file.
    func rename(_ file: String, to name: String) throws(StateFault)
    func remove(_ file: String) throws(StateFault)
    /// Syncs the folder: its file names survive a crash from then on.
    func syncFolder(_ folder: String) throws(StateFault)
    /// - Returns: nil while another process or task holds the lock.
    func lock(_ file: String, in folder: String) throws(StateFault) -> StateLock?
}

/// The content of a file.
public struct StateFile: Hashable, Sendable {
    public var bytes: [UInt8]
    public var isOpenToOthers: Bool

    public init(_ bytes: [UInt8], isOpenToOthers: Bool = false) {
        self.bytes = bytes
        self.isOpenToOthers = isOpenToOthers
    }
}

/// Why the state folder cannot be used; tells people what to do.
public struct StateFault: Error, Hashable, Sendable, CustomStringConvertible {
    public var description: String
    /// Whether the fault may go away by itself.
    public var mayPass: Bool
    /// Whether the file is no record at all, with any key.
    public var isDamage: Bool
    /// Whether the stored sign-in belongs to another client, or to another server.
    public var isForeign: Bool

    public init(_ description: String, mayPass: Bool = false, isDamage: Bool = false, isForeign: Bool = false) {
        self.description = description
        self.mayPass = mayPass
        self.isDamage = isDamage
        self.isForeign = isForeign
    }
}

/// A lock that is held until this object, or the process, ends.
public final class StateLock: Sendable {
    private let release: @Sendable () -> Void

    public init(release: @escaping @Sendable () -> Void) {
        self.release = release
    }

    deinit { release() }
}
