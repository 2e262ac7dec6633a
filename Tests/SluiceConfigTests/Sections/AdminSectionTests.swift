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
        #expect(configuration.listeners.last?.isAdmin == true)
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
}
