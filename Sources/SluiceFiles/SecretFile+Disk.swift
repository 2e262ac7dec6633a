internal import CLinux
public import SluiceContract

extension SecretFile {
    private static let isInContainer = clinux_is_container()

    /// The facts of the file at `path`, with links followed; nil if there is no file.
    /// - Parameters:
    ///   - descriptor: the file's descriptor if it is already open, so that the checked file is the one that is read.
    ///   - credentialsDirectory: `$CREDENTIALS_DIRECTORY`.
    public init?(path: String, descriptor: Int32 = -1, credentialsDirectory: String?) {
        var facts = clinux_file_facts()
        guard clinux_file_facts(descriptor, path, &facts) == 0 else { return nil }
        self.init(mode: facts.mode, owner: facts.owner, user: clinux_user())
        let real = Self.realPath(path) ?? path
        isCredential = credentialsDirectory.flatMap(Self.realPath).map { Self.isInside(real, $0) } ?? false
        isAmongSecrets = ["/run/secrets", "/var/run/secrets"].compactMap(Self.realPath).contains {
            Self.isInside(real, $0)
        }
        directoryOwner = facts.directory_owner
        isDirectoryWritable = facts.is_directory_writable
        isReadOnly = facts.is_read_only
        isMemory = facts.is_memory
        isContainer = Self.isInContainer
    }

    /// The path with every link and `..` resolved; nil if it leads nowhere.
    public static func realPath(_ path: String) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CLINUX_PATH_MAX)) { real in
            guard let start = real.baseAddress, clinux_real_path(path, start) else { return nil }
            return String(cString: start)
        }
    }

    private static func isInside(_ path: String, _ directory: String) -> Bool {
        path.hasPrefix(directory == "/" ? "/" : directory + "/")
    }
}
