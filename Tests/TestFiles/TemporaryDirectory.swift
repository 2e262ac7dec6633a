import Foundation

/// A directory that goes with the value.
public final class TemporaryDirectory: Sendable {
    public let path: String

    public init() throws {
        // Short, because the path of a socket in it has to fit into 107 bytes.
        path = FileManager.default.temporaryDirectory.path + "/sluice-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Puts a file in place at once, as an editor or a secret manager does.
    public func write(_ text: String, to name: String, mode: Int = 0o600) throws {
        let temporary = file("\(name).new")
        try Data(text.utf8).write(to: URL(fileURLWithPath: temporary))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: temporary)
        guard rename(temporary, file(name)) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    public func makeDirectory(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: true)
    }

    /// Lets the link `name` lead to `target`, replacing the link that was there at once.
    public func link(_ name: String, to target: String) throws {
        let temporary = file("\(name).new")
        try FileManager.default.createSymbolicLink(atPath: temporary, withDestinationPath: target)
        guard rename(temporary, file(name)) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    public func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: file(name))
    }
}
