internal import SluiceConfig
internal import SluiceContract
internal import SluiceFiles
internal import Glibc

/// A folder that recordings are written into, by one process at a time.
final class RecordingOutput: Sendable {
    let path: String
    private let descriptor: Int32

    /// - Throws: where there can be no such folder, or another process writes into it.
    init(_ path: String) throws(RecordingFailure) {
        self.path = path
        try Self.makeFolder(path)
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw RecordingFailure(path: path, code: errno) }
        // A lock of the kernel's: it ends with the process, however that ends.
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            close(descriptor)
            throw code == EWOULDBLOCK
                ? RecordingFailure(path: path, reason: "another process records there; name another folder")
                : RecordingFailure(path: path, code: code)
        }
    }

    deinit { close(descriptor) }

    /// The file gets its name once it is whole. Later numbers of an earlier recording are removed: they would be
    /// replayed after it.
    func write(_ exchange: RecordedExchange) throws(RecordingFailure) {
        if exchange.number == 1 { removeLater(exchange) }
        let path = file(of: exchange)
        try Self.makeOwnFolder(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]))
        let draft = path + ".part"
        // Removes the draft of a process that was killed. Nothing is written through a link.
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw RecordingFailure(path: path, code: errno) }
        let result = Array(RecordingFile.text(of: exchange).utf8).withUnsafeBytes {
            DescriptorWrite.all($0, to: descriptor, patienceMilliseconds: -1)
        }
        close(descriptor)
        let code = result.error ?? (rename(draft, path) == 0 ? nil : errno)
        guard let code else { return }
        unlink(draft)
        throw RecordingFailure(path: path, code: code)
    }

    private func removeLater(_ exchange: RecordedExchange) {
        var later = exchange
        repeat { later.number += 1 } while unlink(file(of: later)) == 0
    }

    private func file(of exchange: RecordedExchange) -> String { "\(path)/\(RecordingFolder.name(of: exchange))" }

    /// The folder that was asked for may be a link, and those above it.
    private static func makeFolder(_ path: String) throws(RecordingFailure) {
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
        if let slash = path.lastIndex(of: "/"), slash > path.startIndex { try makeFolder(String(path[..<slash])) }
        if mkdir(path, 0o777) != 0, errno != EEXIST { throw RecordingFailure(path: path, code: errno) }
    }

    private static func makeOwnFolder(_ path: String) throws(RecordingFailure) {
        if mkdir(path, 0o777) == 0 { return }
        guard errno == EEXIST else { throw RecordingFailure(path: path, code: errno) }
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw RecordingFailure(path: path, reason: "it is no folder")
        }
    }
}

/// Why a recording cannot be written.
struct RecordingFailure: Error, CustomStringConvertible {
    let path: String
    let reason: String

    init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    init(path: String, code: Int32) {
        self.init(path: path, reason: String(cString: strerror(code)))
    }

    var description: String { "'\(path)' cannot be written: \(reason)" }
}
