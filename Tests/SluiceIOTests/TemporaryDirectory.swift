import Foundation

/// A directory that goes with the value.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        // Short, because the path of a socket in it has to fit into 107 bytes.
        path = FileManager.default.temporaryDirectory.path + "/sluice-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Puts a file in place at once, as an editor or a secret manager does.
    func write(_ text: String, to name: String, mode: Int = 0o600) throws {
        let temporary = file("\(name).new")
        try Data(text.utf8).write(to: URL(fileURLWithPath: temporary))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: temporary)
        guard rename(temporary, file(name)) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    func makeDirectory(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: true)
    }

    /// Lets the link `name` lead to `target`, replacing the link that was there at once.
    func link(_ name: String, to target: String) throws {
        let temporary = file("\(name).new")
        try FileManager.default.createSymbolicLink(atPath: temporary, withDestinationPath: target)
        guard rename(temporary, file(name)) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: file(name))
    }
}

/// Values that arrive on some other thread, waited for one by one.
final class Inbox<Value: Sendable>: Sendable {
    private let stream: AsyncStream<Value>
    private let continuation: AsyncStream<Value>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func put(_ value: Value) { continuation.yield(value) }

    /// The next value; the test's own time limit ends the wait.
    func take() async -> Value? {
        var iterator = stream.makeAsyncIterator()
        return await iterator.next()
    }
}
