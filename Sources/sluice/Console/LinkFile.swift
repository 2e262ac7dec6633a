internal import Glibc

/// A page that redirects the browser to a secret address: program arguments are visible to all users of the machine
/// (proc(5)), a file of one's own is not.
struct LinkFile {
    let path: String

    /// Nil where it cannot be written.
    init?(leadingTo url: String) {
        let folder = (getenv("XDG_RUNTIME_DIR") ?? getenv("TMPDIR")).map { String(cString: $0) }
        var template = Array("\(folder ?? "/tmp")/sluice-console-XXXXXX.html".utf8CString)
        // Open to its owner alone (mkstemps(3)).
        let descriptor = mkstemps(&template, 5)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let page = Array("<!doctype html><meta http-equiv=\"refresh\" content=\"0; url=\(url)\">\n".utf8)
        guard write(descriptor, page, page.count) == page.count else {
            remove()
            return nil
        }
    }

    func remove() { unlink(path) }
}
