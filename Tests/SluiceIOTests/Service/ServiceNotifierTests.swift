import Glibc
import SluiceSockets
import TestFiles
import Testing

@testable import SluiceIO

/// The other end of `$NOTIFY_SOCKET`.
private final class Manager {
    private let descriptor: Int32

    init(_ path: String) throws {
        let address = try #require(SocketAddress(unixPath: path))
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        try #require(address.withSockAddr { bind(descriptor, $0, $1) } == 0)
    }

    deinit {
        close(descriptor)
    }

    /// The next datagram; sending to a Unix socket is done when the call returns, so there is nothing to wait for.
    func message() -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
    }
}

/// sd_notify(3).
@Suite struct ServiceNotifierTests {
    private func check(path: String) throws {
        let manager = try Manager(path)
        let notifier = try #require(ServiceNotifier(address: path))
        notifier.ready(status: "Serving 3 bindings")
        #expect(manager.message() == "READY=1\nSTATUS=Serving 3 bindings")
        notifier.reloading(at: 1_234_567_890)
        #expect(manager.message() == "RELOADING=1\nMONOTONIC_USEC=1234567")
        notifier.stopping(status: "Draining")
        #expect(manager.message() == "STOPPING=1\nSTATUS=Draining")
        notifier.status("two\nlines\r\nREADY=1")
        #expect(manager.message() == "STATUS=two lines READY=1")
        notifier.watchdog()
        #expect(manager.message() == "WATCHDOG=1")
        #expect(manager.message() == nil)
    }

    @Test func throughAPath() throws {
        let directory = try TemporaryDirectory()
        try check(path: directory.file("notify"))
    }

    @Test func throughAnAbstractSocket() throws {
        try check(path: "@sluice-test-\(UInt32.random(in: 0 ... .max))")
    }

    @Test func nobodyListens() throws {
        let directory = try TemporaryDirectory()
        let notifier = try #require(ServiceNotifier(address: directory.file("nobody")))
        notifier.ready(status: "")
    }

    @Test(arguments: ["", "relative", "/" + String(repeating: "a", count: 200), "vsock:2:1234"])
    func noAddress(text: String) {
        #expect(ServiceNotifier(address: text) == nil)
    }
}
