import Testing

@testable import SluiceClient

@Suite struct GatewayAddressTests {
    @Test(arguments: [
        ("http://127.0.0.1:8080", GatewayAddress.Place.tcp(host: "127.0.0.1", port: 8080), "127.0.0.1:8080", ""),
        ("http://localhost", .tcp(host: "localhost", port: 80), "localhost", ""),
        ("HTTP://localhost:8080/base/", .tcp(host: "localhost", port: 8080), "localhost:8080", "/base"),
        ("http://[::1]:9/a%20b//", .tcp(host: "::1", port: 9), "[::1]:9", "/a%20b"),
        ("unix:/run/sluice.sock", .unix(path: "/run/sluice.sock"), "localhost", ""),
        ("unix:@sluice", .unix(path: "@sluice"), "localhost", ""),
    ])
    func good(_ text: String, _ place: GatewayAddress.Place, _ authority: String, _ base: String) throws {
        let address = try GatewayAddress(text)
        #expect(address.place == place)
        #expect(address.authority == authority)
        #expect(address.base == base)
        #expect(try GatewayAddress(address.description) == address)
    }

    @Test(arguments: [
        ("", "write http://127.0.0.1:8080"), ("localhost:8080", "write http://127.0.0.1:8080"),
        ("https://localhost", "no address of a gateway"), ("http://", "no host and port"),
        ("http://a:0", "no host and port"), ("http://u@h:1", "no host and port"), ("http://a b", "no host and port"),
        ("http://a?b", "no host and port"), ("http://a/b?c", "leave query and fragment out"),
        ("http://a/b#c", "leave query and fragment out"), ("http://a/b c", "leave query and fragment out"),
        ("unix:", "names no socket"), ("unix:run/x", "no absolute path"), ("unix:/a\0b", "names no socket"),
        ("unix:/" + String(repeating: "x", count: 107), "at most 107 bytes"),
    ])
    func bad(_ text: String, _ advice: String) {
        let error = #expect(throws: AddressError.self) { try GatewayAddress(text) }
        #expect(error?.description.contains(advice) == true)
    }
}
