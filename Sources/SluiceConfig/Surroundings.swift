public import SluiceContract
public import SluiceFiles
internal import Glibc

/// What the reader needs besides the text: files, access rights, users and groups. Tests supply closures of their own.
public struct Surroundings: Sendable {
    /// The bytes of a file.
    public var contents: @Sendable (_ path: String) -> Result<[UInt8], UnreadableFile>
    /// Whether a file may hold a secret; `credentialsDirectory` is the service manager's. Nil where there is no such
    /// file.
    public var secretFile: @Sendable (_ path: String, _ credentialsDirectory: String?) -> SecretFile?
    /// The names in a folder, in no particular order; a failure where the path is not a folder.
    public var names: @Sendable (_ folder: String) -> Result<[String], UnreadableFile>
    /// The kind of file that a path leads to; nil where nothing is there.
    public var kind: @Sendable (_ path: String) -> FileKind?
    /// The path after all links are followed; nil where nothing is there.
    public var target: @Sendable (_ path: String) -> String?
    /// The number of a user, by name; nil where there is none.
    public var user: @Sendable (_ name: String) -> UInt32?
    /// The number of a group, by name; nil where there is none.
    public var group: @Sendable (_ name: String) -> UInt32?

    public init(
        contents: @escaping @Sendable (String) -> Result<[UInt8], UnreadableFile>,
        secretFile: @escaping @Sendable (String, String?) -> SecretFile?,
        names: @escaping @Sendable (String) -> Result<[String], UnreadableFile> = {
            .failure(UnreadableFile(path: $0, reason: "there is no such folder"))
        },
        kind: (@Sendable (String) -> FileKind?)? = nil,
        target: @escaping @Sendable (String) -> String? = { $0 },
        user: @escaping @Sendable (String) -> UInt32? = { _ in nil },
        group: @escaping @Sendable (String) -> UInt32? = { _ in nil }
    ) {
        self.contents = contents
        self.secretFile = secretFile
        self.names = names
        self.kind =
            kind ?? { path in
                if case .success = names(path) { return .folder }
                if case .success(let bytes) = contents(path) { return .file(bytes: bytes.count) }
                return nil
            }
        self.target = target
        self.user = user
        self.group = group
    }

    /// The real files.
    public static let disk = Surroundings(
        contents: { Surroundings.read($0) },
        secretFile: { SecretFile(path: $0, credentialsDirectory: $1) },
        names: { folder in
            do throws(FileReader.Failure) {
                return .success(try FolderReader.names(in: folder))
            } catch {
                return .failure(UnreadableFile(path: folder, reason: "\(error)"))
            }
        },
        kind: { FileKind(path: $0) },
        target: { FolderReader.target(of: $0) },
        user: { getpwnam($0)?.pointee.pw_uid }, group: { getgrnam($0)?.pointee.gr_gid })

    /// The bytes of a real file.
    /// - Parameter mayWait: whether pipes and devices are read, too, however long that takes.
    public static func read(_ path: String, mayWait: Bool = false) -> Result<[UInt8], UnreadableFile> {
        do throws(FileReader.Failure) {
            return .success(
                try FileReader.contents(of: path, atMost: Recordings.fileBytesMax, mayWait: mayWait))
        } catch {
            return .failure(UnreadableFile(path: path, reason: "\(error)"))
        }
    }
}

/// A file that could not be read at all.
public struct UnreadableFile: Error, Hashable, Sendable, CustomStringConvertible {
    public var path: String
    public var reason: String

    public init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    public var description: String { "\(path): cannot be read: \(reason)" }
}
