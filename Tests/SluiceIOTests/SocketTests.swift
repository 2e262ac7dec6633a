import Glibc
import SluiceContract
import SluiceSockets
import Testing

@testable import SluiceIO

@Suite struct SocketTests {
    /// Whoever reads a descriptor closes it, and a peer decides how long that takes: none is taken, where the kernel
    /// knows how to say so (SO_PASSRIGHTS, Linux 6.16), also by a socket that another process has made.
    @Test(arguments: [false, true])
    func unixSocketsTakeNoDescriptors(isInherited: Bool) throws {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let address = try #require(SocketAddress(unixPath: "/tmp/never-bound"))
        let descriptor = isInherited ? socket(AF_UNIX, kind, 0) : Socket.make(for: address)
        defer { close(descriptor) }
        if isInherited { Socket.prepare(inherited: descriptor) }
        var value: Int32 = -1
        var size = socklen_t(MemoryLayout<Int32>.size)
        let isKnown = getsockopt(descriptor, SOL_SOCKET, 83, &value, &size) == 0
        #expect(isKnown ? value == 0 : errno == ENOPROTOOPT)
    }

    /// An address that this process has itself is not another program's.
    @Test func allAddressesBesideOneOfOurOwn() throws {
        let taken = try LoopbackListener(.taken)
        let port = try #require(taken.address.port)
        let wanted = Listener(.tcp(host: "0.0.0.0", port: port))
        let own = Listener(.tcp(host: "127.0.0.1", port: port))
        let elsewhere = Listener(.tcp(host: "127.0.0.1", port: port == 1 ? 2 : 1))
        let failure = try #require(Socket.probe(wanted, beside: [elsewhere, own]))
        #expect(!failure.isInUse)
        #expect(failure.description.contains("127.0.0.1:\(port), where this daemon listens"))
        #expect(failure.description.contains("takes a restart"))
        #expect(Socket.probe(wanted, beside: [elsewhere])?.isInUse == true)
    }

    /// The kernel is asked for a larger window in a roundabout way, and wakes for every byte afterwards.
    @Test func wideWindows() throws {
        let pair = try SocketPair(.tcp)
        defer { close(pair.ours) }
        let before = Self.option(SO_RCVBUF, of: pair.ours)
        Socket.widenWindow(pair.ours)
        #expect(Self.option(SO_RCVBUF, of: pair.ours) > before)
        #expect(Self.option(SO_RCVLOWAT, of: pair.ours) == 1)
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32 {
        var value: Int32 = -1
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, name, &value, &size)
        return value
    }
}
