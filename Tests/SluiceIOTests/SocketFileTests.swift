import Glibc
import SluiceContract
import SluiceSockets
import TestFiles
import Testing

@testable import SluiceIO

@Suite struct SocketFileTests {
    let directory: TemporaryDirectory
    private var path: String { directory.file("socket") }

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func listen() throws -> (descriptor: Int32, file: SocketFile?) {
        try Socket.opened(Listener(.unix(path: path)))
    }

    private var mode: mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test func ours() throws {
        let (descriptor, file) = try listen()
        defer { close(descriptor) }
        #expect(mode == 0o660)
        #expect(file?.setMode(0o606) == 0)
        #expect(mode == 0o606)
        file?.remove()
        #expect(access(path, F_OK) != 0)
        #expect(file?.setMode(0o600) == ENOENT)
    }

    /// Another daemon has its socket at the path now.
    @Test func anothers() throws {
        let (descriptor, file) = try listen()
        defer { close(descriptor) }
        #expect(unlink(path) == 0)
        let (other, _) = try listen()
        defer { close(other) }
        #expect(file?.setMode(0o600) == ESTALE)
        #expect(mode == 0o660)
        file?.remove()
        #expect(access(path, F_OK) == 0)
    }

    /// What a link at the path leads to is not touched, though it is ours.
    @Test func aLink() throws {
        let (descriptor, file) = try listen()
        defer { close(descriptor) }
        let moved = directory.file("moved")
        #expect(rename(path, moved) == 0 && symlink(moved, path) == 0)
        #expect(file?.setMode(0o600) == ESTALE)
        file?.remove()
        var status = stat()
        #expect(lstat(path, &status) == 0)
        #expect(status.st_mode & S_IFMT == S_IFLNK)
        #expect(stat(moved, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o660)
    }

    @Test func aSocketThatHasNone() throws {
        let (descriptor, file) = try Socket.opened(Listener(.tcp(host: "127.0.0.1", port: 0)))
        defer { close(descriptor) }
        #expect(file == nil)
    }
}
