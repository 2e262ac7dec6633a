/// The facts that decide whether a file may hold a secret: which users can read and change it, and its mount. The
/// configuration reader and the daemon apply the same rule to the same facts.
public struct SecretFile: Hashable, Sendable {
    /// Permission bits.
    public var mode: UInt32
    public var owner: UInt32
    /// The effective user of this process.
    public var user: UInt32
    /// Whether it lies below `$CREDENTIALS_DIRECTORY`, which the service manager has closed as a whole, whatever the
    /// modes in it say.
    public var isCredential = false
    /// Whether it lies below `/run/secrets` or `/var/run/secrets`, where engines mount secrets and nothing else.
    public var isAmongSecrets = false
    public var directoryOwner: UInt32 = 0
    /// Whether `user` can change the directory.
    public var isDirectoryWritable = false
    /// On a read-only mount.
    public var isReadOnly = false
    /// On a file system in memory.
    public var isMemory = false
    /// Whether this process runs in an application container, whose programs all belong to the application.
    public var isContainer = false

    public init(mode: UInt32, owner: UInt32 = 0, user: UInt32 = 0) {
        self.mode = mode
        self.owner = owner
        self.user = user
    }

    /// What becomes of the file.
    public enum Verdict: Hashable, Sendable {
        case accepted
        /// Accepted, with a warning.
        case suspicious(Objection)
        case refused(Objection)
    }

    /// What is wrong, to be said behind the file's name, and the command that mends it, without that name.
    public struct Objection: Hashable, Sendable {
        public var reason: String
        public var command: String

        public init(reason: String, command: String) {
            self.reason = reason
            self.command = command
        }
    }

    /// A file that others can change is not ours, and one that everybody can read is no secret, unless it is mounted
    /// where secrets come from. In a container the engine decides on owners and modes (0444 or 0644 of root), and no
    /// other user is there to read them.
    public var verdict: Verdict {
        if isCredential { return .accepted }
        // No bit lets anybody in a container write to what it has mounted read-only.
        if mode & 0o022 != 0, !(isContainer && isReadOnly) {
            return .refused(Objection(reason: "can be written by others", command: "chmod g-w,o="))
        }
        if owner != user, owner != 0, !(isAmongSecrets && isContainer) {
            let objection = Objection(reason: "is owned by another user (uid \(owner))", command: "chown \(user)")
            return isContainer ? .suspicious(objection) : .refused(objection)
        }
        if mode & 0o004 != 0, !isMountedSecret {
            let objection = Objection(reason: "can be read by everybody", command: "chmod g-w,o=")
            return isContainer ? .suspicious(objection) : .refused(objection)
        }
        return .accepted
    }

    /// On a mount made for secrets: by its place, or in a container by being root's and closed to us.
    private var isMountedSecret: Bool {
        isAmongSecrets || (isContainer && (isReadOnly || isMemory) && directoryOwner == 0 && !isDirectoryWritable)
    }
}
