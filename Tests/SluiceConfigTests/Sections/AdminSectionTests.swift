import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct AdminSectionTests {
    @Test(arguments: [
        ("off", nil), ("false", nil), ("/run/sluice/admin.sock", "/run/sluice/admin.sock"), ("unix:/run/a", "/run/a"),
    ])
    func reads(_ value: String, _ path: String?) {
        #expect(Bench("admin: \(value)\n").configuration().admin == path)
    }

    @Test func isOffUnlessSaid() {
        let configuration = Bench("{}\n").configuration()
        #expect(configuration.admin == nil)
        #expect(configuration.listeners == configuration.listen)
    }

    /// Its owner alone, and no HTTP/2.
    @Test func isOneMoreListener() {
        let configuration = Bench("admin: /run/a\n").configuration()
        #expect(configuration.listeners.count == configuration.listen.count + 1)
        #expect(configuration.listeners.last?.address == .unix(path: "/run/a"))
        #expect(configuration.listeners.last?.purpose == .administration)
        #expect(configuration.listeners.last?.mode == 0o600)
        #expect(configuration.listeners.last?.http2 == false)
    }

    @Test(arguments: [
        (
            "admin: 127.0.0.1:9",
            ["1:8: '127.0.0.1:9' is no Unix socket; the gateway is administered on one alone → /run/sluice/admin.sock"]
        ),
        ("admin: unix:a", ["1:8: 'a' is no path for a socket"]),
        ("admin: /run/a/", ["1:8: '/run/a/' is no path for a socket"]),
        ("listen: unix:/run/a\nadmin: /run/a", ["2:8: '/run/a' is listened on under 'listen:' already"]),
    ])
    func refuses(_ text: String, _ mistakes: [String]) {
        #expect(Bench(text + "\n").mistakes == mistakes)
    }

    static let digest = String(repeating: "0a", count: 32)

    static let places: [(String, String?, MonitorPlace?)] = [
        ("{socket: /run/a}", "/run/a", nil), ("{socket: off, address: 'off'}", nil, nil),
        ("{address: 127.0.0.1:9100}", nil, MonitorPlace(host: "127.0.0.1", port: 9100)),
        ("{socket: /run/a, address: '[::1]:9'}", "/run/a", MonitorPlace(host: "::1", port: 9)),
        (
            "{address: localhost:9, key: \(digest)}", nil,
            MonitorPlace(host: "127.0.0.1", port: 9, keyDigests: [Array(repeating: 10, count: 32)])
        ),
    ]

    @Test(arguments: places)
    func readsAnAddressBesideIt(_ value: String, _ path: String?, _ monitor: MonitorPlace?) {
        let configuration = Bench("admin: \(value)\n").configuration()
        #expect(configuration.admin == path)
        #expect(configuration.monitor == monitor)
        #expect(configuration.listeners.count == 1 + (path == nil ? 0 : 1) + (monitor == nil ? 0 : 1))
    }

    @Test(arguments: [
        ("admin: {address: 0.0.0.0:9}", "1:18: '0.0.0.0:9' is no address of the loopback"),
        ("admin: {address: 10.0.0.1:9}", "1:18: '10.0.0.1:9' is no address of the loopback"),
        ("admin: {address: unix:/a}", "1:18: 'unix:/a' is no address of the loopback"),
        ("admin: {address: 9100}", "1:18: '9100' is no address to listen on"),
        ("admin: {socket: run}", "1:17: 'run' is no Unix socket"),
        ("admin: {key: secret, address: 127.0.0.1:9}", "1:14: this is no SHA-256 of a key"),
        ("admin: {key: \(digest)}", "1:14: a key without an address"),
        ("admin: {sockt: /a}", "1:9: unknown key 'sockt'"),
        ("listen: 127.0.0.1:9\nadmin: {address: 127.0.0.1:9}", "2:18: '127.0.0.1:9' is listened on under 'listen:'"),
    ])
    func refusesAddresses(_ text: String, _ mistake: String) {
        let mistakes = Bench(text + "\n").mistakes
        #expect(mistakes.count == 1 && mistakes.first?.hasPrefix(mistake) == true, "\(mistakes)")
    }
}
