/// The steps that keeping records is made of. What a crash between two of them leaves follows from what was synced
/// (fsync(2)); a simulation has a disk of its own.
public protocol StateDisk: Sendable {
    /// Makes the folder, closed to others, where it is missing.
    func prepare(_ folder: String) throws(StateFault)
    /// - Returns: nil where there is no such file.
    func read(_ file: String, atMost countMax: Int) throws(StateFault) -> StateFile?
    /// Makes a file, closed to others, in the place of one that was left over. It is synced; its name is not.
    func write(_ bytes: [UInt8], to file: String, in folder: String) throws(StateFault)
    /// A reader finds one or the other file.
    func rename(_ file: String, to name: String) throws(StateFault)
    func remove(_ file: String) throws(StateFault)
    /// Names outlast a crash from then on.
    func syncFolder(_ folder: String) throws(StateFault)
    /// - Returns: nil while another process or task has it.
    func lock(_ file: String, in folder: String) throws(StateFault) -> StateLock?
}

/// What a file holds.
public struct StateFile: Hashable, Sendable {
    public var bytes: [UInt8]
    public var isOpenToOthers: Bool

    public init(_ bytes: [UInt8], isOpenToOthers: Bool = false) {
        self.bytes = bytes
        self.isOpenToOthers = isOpenToOthers
    }
}

/// Why the state folder cannot be used; in words for people that say what to do.
public struct StateFault: Error, Hashable, Sendable, CustomStringConvertible {
    public var description: String
    /// Whether it may be better in a moment, without anybody doing anything.
    public var mayPass: Bool
    /// Whether the file is not a record at all: it cannot be read with any key.
    public var isDamage: Bool
    /// Whether what is stored is the sign-in of another client, or at another server.
    public var isForeign: Bool

    public init(_ description: String, mayPass: Bool = false, isDamage: Bool = false, isForeign: Bool = false) {
        self.description = description
        self.mayPass = mayPass
        self.isDamage = isDamage
        self.isForeign = isForeign
    }
}

/// A lock that is held; it ends with this, and with the process.
public final class StateLock: Sendable {
    private let release: @Sendable () -> Void

    public init(release: @escaping @Sendable () -> Void) {
        self.release = release
    }

    deinit { release() }
}
