import Glibc
import SluiceContract
import SluiceSockets
import TestFiles
import Testing

@testable import SluiceIO

@Suite struct ServiceManagerTests {
    @Test func nothingAsked() {
        let manager = ServiceManager(variables: [:], processID: 42)
        #expect(manager.notifier == nil)
        #expect(manager.watchdogInterval == nil)
        #expect(manager.sockets.isEmpty)
    }

    /// sd_watchdog_enabled(3).
    @Test(
        arguments: [
            ("30000000", nil, 30_000_000_000), ("30000000", "42", 30_000_000_000), ("30000000", "43", nil),
            ("30000000", "x", nil), ("0", nil, nil), ("", nil, nil), ("-1", nil, nil), ("1s", nil, nil),
            ("18446744073709551615", nil, nil),
        ] as [(String, String?, UInt64?)])
    func watchdog(microseconds: String, processID: String?, interval: UInt64?) {
        var variables = ["WATCHDOG_USEC": microseconds]
        variables["WATCHDOG_PID"] = processID
        #expect(ServiceManager(variables: variables, processID: 42).watchdogInterval == interval)
    }

    @Test func inheritedSockets() throws {
        let directory = try TemporaryDirectory()
        let tcp = try Listening(#require(SocketAddress(literal: "127.0.0.1", port: 0)))
        let unix = try Listening(#require(SocketAddress(unixPath: directory.file("s"))))
        // Two descriptors side by side, as sd_listen_fds(3) wants them.
        let first = fcntl(tcp.descriptor, F_DUPFD, 500)
        #expect(dup2(unix.descriptor, first + 1) == first + 1)
        defer {
            close(first)
            close(first + 1)
        }
        let variables = ["LISTEN_PID": "42", "LISTEN_FDS": "3", "LISTEN_FDNAMES": "web"]
        let manager = ServiceManager(variables: variables, processID: 42, firstDescriptor: first)
        #expect(manager.sockets.count == 2)
        #expect(manager.sockets.map(\.name) == ["web", "unknown"])
        for socket in manager.sockets {
            #expect(fcntl(socket.descriptor, F_GETFD) & FD_CLOEXEC != 0)
            #expect(fcntl(socket.descriptor, F_GETFL) & O_NONBLOCK != 0)
        }
        let address = try #require(SocketAddress(localOf: tcp.descriptor))
        #expect(manager.socket(for: address)?.descriptor == first)
        let path = try #require(SocketAddress(.unix(path: directory.file("s"))))
        #expect(manager.socket(for: path)?.descriptor == first + 1)
        #expect(manager.socket(for: try #require(SocketAddress(unixPath: directory.file("t")))) == nil)
    }

    /// A descriptor of another kind keeps its name and is no listener.
    @Test func otherDescriptors() throws {
        let connected = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let first = fcntl(connected, F_DUPFD, 600)
        close(connected)
        defer { close(first) }
        let variables = ["LISTEN_PID": "42", "LISTEN_FDS": "1", "LISTEN_FDNAMES": "store"]
        let manager = ServiceManager(variables: variables, processID: 42, firstDescriptor: first)
        #expect(manager.sockets == [InheritedSocket(descriptor: first, name: "store", address: nil)])
    }

    @Test(arguments: [
        ["LISTEN_PID": "43", "LISTEN_FDS": "1"], ["LISTEN_FDS": "1"], ["LISTEN_PID": "42"],
        ["LISTEN_PID": "42", "LISTEN_FDS": "0"], ["LISTEN_PID": "42", "LISTEN_FDS": "-1"],
        ["LISTEN_PID": "42", "LISTEN_FDS": "2000000000"],
    ])
    func noInheritedSockets(variables: [String: String]) {
        #expect(ServiceManager(variables: variables, processID: 42, firstDescriptor: 0).sockets.isEmpty)
    }

    @Test func theEnvironmentIsTaken() {
        setenv("WATCHDOG_USEC", "1000", 1)
        #expect(ServiceManager.fromEnvironment().watchdogInterval == 1_000_000)
        #expect(getenv("WATCHDOG_USEC") == nil)
    }
}

/// A listening socket that goes with the value.
private final class Listening {
    let descriptor: Int32

    init(_ address: SocketAddress) throws {
        let family = address.family == .unix ? AF_UNIX : AF_INET
        descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        try #require(address.withSockAddr { bind(descriptor, $0, $1) } == 0)
        try #require(listen(descriptor, 1) == 0)
    }

    deinit {
        close(descriptor)
    }
}
