import Foundation

/// A private folder that goes with the object.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array((Guardian.shared.folder + "/XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw HarnessError("mkdtemp: \(errorText())") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Path of a file in it.
    func file(_ name: String) -> String {
        path + "/" + name
    }

    /// Writes a file that its owner alone may read, as tokens and keys have to be.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let path = file(name)
        let folder = (path as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // Renamed into place, so that a watcher sees it change at once and whole.
        try text.write(toFile: path + ".new", atomically: false, encoding: .utf8)
        chmod(path + ".new", 0o600)
        guard rename(path + ".new", path) == 0 else { throw HarnessError("rename \(name): \(errorText())") }
        return path
    }

    /// Writes a program. Nothing is started meanwhile: a child would hold the file open for writing for a moment, and
    /// what is open for writing is not run (ETXTBSY).
    func writeProgram(_ text: String, to name: String) throws -> String {
        let path = try Spawn.withoutSpawning { Result { try write(text, to: name) } }.get()
        chmod(path, 0o700)
        return path
    }

    func read(_ name: String) -> String {
        (try? String(contentsOfFile: file(name), encoding: .utf8)) ?? ""
    }
}
