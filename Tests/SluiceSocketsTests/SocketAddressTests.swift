import Glibc
import SluiceContract
import Testing

@testable import SluiceSockets

@Suite struct SocketAddressTests {
    @Test(arguments: [
        ("127.0.0.1", 80, "127.0.0.1:80", SocketAddress.Family.ipv4),
        ("0.0.0.0", 0, "0.0.0.0:0", .ipv4),
        ("::1", 8080, "[::1]:8080", .ipv6),
        ("[::1]", 65535, "[::1]:65535", .ipv6),
        ("2001:DB8:0:0::1", 443, "[2001:db8::1]:443", .ipv6),
        ("::ffff:1.2.3.4", 1, "[::ffff:1.2.3.4]:1", .ipv6),
        ("fe80::1%lo", 1, "[fe80::1%1]:1", .ipv6),
    ])
    func literals(text: String, port: Int, description: String, family: SocketAddress.Family) throws {
        let address = try #require(SocketAddress(literal: text, port: port))
        #expect(address.description == description)
        #expect(address.family == family)
        #expect(address.port == port)
        #expect(address.path == nil)
    }

    @Test(arguments: [
        ("", 80), ("localhost", 80), ("127.1", 80), ("1.2.3.4.5", 80), ("0x7f.0.0.1", 80), ("[127.0.0.1", 80),
        ("::g", 80), ("127.0.0.1\0.example", 80), ("127.0.0.1", -1), ("127.0.0.1", 65536), ("fe80::1%nowhere", 80),
    ])
    func noLiterals(text: String, port: Int) {
        #expect(SocketAddress(literal: text, port: port) == nil)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.255.0.9", true), ("::1", true), ("128.0.0.1", false), ("0.0.0.0", false),
        ("::", false), ("::2", false), ("1::1", false),
    ])
    func loopback(text: String, isLoopback: Bool) throws {
        #expect(try #require(SocketAddress(literal: text, port: 1)).isLoopback == isLoopback)
    }

    @Test(arguments: ["/run/x.sock", "relative.sock", "@abstract", "/" + String(repeating: "a", count: 106)])
    func unixPaths(path: String) throws {
        let address = try #require(SocketAddress(unixPath: path))
        #expect(address.path == path)
        #expect(address.description == "unix:\(path)")
        #expect(address.port == nil)
        #expect(address.host == nil)
    }

    @Test(arguments: ["", "/a\0b", "/" + String(repeating: "a", count: 107)])
    func noUnixPaths(path: String) {
        #expect(SocketAddress(unixPath: path) == nil)
    }

    @Test func equality() {
        let address = SocketAddress(literal: "::1", port: 80)
        #expect(address == SocketAddress(literal: "[0:0::1]", port: 80))
        #expect(address != SocketAddress(literal: "::1", port: 81))
        #expect(SocketAddress(unixPath: "/a") != SocketAddress(unixPath: "@a"))
        #expect(Set([address, SocketAddress(literal: "::1", port: 80)]).count == 1)
        #expect(SocketAddress(.tcp(host: "::1", port: 80)) == address)
    }

    @Test func boundSocket() throws {
        let wanted = try #require(SocketAddress(literal: "127.0.0.1", port: 0))
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        #expect(wanted.withSockAddr { bind(descriptor, $0, $1) } == 0)
        let bound = try #require(SocketAddress(localOf: descriptor))
        #expect(bound.host == "127.0.0.1")
        #expect(bound.port != 0)
        #expect(SocketAddress(peerOf: descriptor) == nil)
    }
}
