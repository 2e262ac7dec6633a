internal import SluiceFiles
internal import Glibc

/// A file that was not there before.
enum NewFile {
    /// The default name of a page.
    static let usualName = "sluice.yaml"

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Writes `text` to a new file; fails where there is one of the name.
    /// - Parameter mode: as open(2) takes it.
    static func write(_ text: String, to path: String, mode: mode_t) throws(Failure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else {
            throw Failure(
                description: errno == EEXIST
                    ? "\(path) is there already; name another file, or move it away"
                    : "\(path) cannot be written: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        let failed = Array(text.utf8).withUnsafeBytes {
            DescriptorWrite.all($0, to: descriptor, patienceMilliseconds: -1).error
        }
        if let failed { throw Failure(description: "\(path) cannot be written: \(String(cString: strerror(failed)))") }
    }

    /// Removes a file that this run has made.
    static func remove(_ path: String) { unlink(path) }

    static func isThere(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }
}
