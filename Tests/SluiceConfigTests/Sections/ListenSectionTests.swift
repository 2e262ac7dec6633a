import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct ListenSectionTests {
    @Test func readsOneOrMany() {
        #expect(Bench("listen: 127.0.0.1:1\n").configuration().listen == [Listener(.tcp(host: "127.0.0.1", port: 1))])
        var socket = Listener(.unix(path: "/run/a.sock"))
        socket.mode = 0o600
        #expect(
            Bench("listen: ['[::1]:1', localhost:2, {address: 'unix:/run/a.sock', mode: 0600}]\n").configuration()
                .listen
                == [Listener(.tcp(host: "::1", port: 1)), Listener(.tcp(host: "127.0.0.1", port: 2)), socket])
    }

    @Test func readsTLS() {
        let bench = Bench(
            "listen: {address: 127.0.0.1:8443, tls: {certificate: a.pem, key: /k.pem, client-ca: ca.pem}}\n",
            files: [
                "/etc/sluice/a.pem": .init(text: "A", permissions: 0o644), "/k.pem": .init(text: "K"),
                "/etc/sluice/ca.pem": .init(text: "C", permissions: 0o644),
            ])
        #expect(
            bench.configuration().listen.first?.tls
                == .init([.init(certificate: "/etc/sluice/a.pem", key: "/k.pem")], clientCA: "/etc/sluice/ca.pem"))
    }

    @Test(arguments: [
        ("8080", "1:9: '8080' is no address to listen on → 127.0.0.1:8080"),
        (":8080", "1:9: ':8080' is no address to listen on → 127.0.0.1:8080"),
        ("127.0.0.1", "1:9: '127.0.0.1' is no address to listen on → 127.0.0.1:8080"),
        ("127.0.0.1:65536", "1:9: 65536 is no port"),
        ("api.example:80", "1:9: 'api.example' is a name, not an address → 127.0.0.1:80"),
        ("unix:run", "1:9: 'run' is no path for a socket"),
        (
            "unix:/" + String(repeating: "x", count: 107),
            "1:9: '/\(String(repeating: "x", count: 107))' is no path for a socket"
        ),
        ("[127.0.0.1:1, 127.0.0.1:1]", "1:23: '127.0.0.1:1' is listened on twice"),
        ("[]", "1:9: nothing is listened on"), ("{}", "1:9: key 'address' is missing"),
        ("{address: 127.0.0.1:1, mode: 0600}", "1:32: 'mode' is for Unix sockets"),
        ("{address: unix:/a, mode: 888}", "1:34: the text '888' where permissions are wanted"),
        ("{address: 127.0.0.1:1, tls: {key: k}}", "1:37: key 'certificate' is missing"),
    ])
    func refuses(_ value: String, _ mistake: String) {
        #expect(Bench("listen: \(value)\n").mistakes.first == mistake)
    }

    /// Nobody is looked for at another address.
    @Test(arguments: ["api.example:80", "127.0.0.1:65536", "unix:run"])
    func aWrongAddressIsLeftOut(_ address: String) {
        let loaded = Bench("listen: [127.0.0.1:1, '\(address)']\n").load()
        #expect(loaded.configuration == nil)
        #expect(loaded.draft?.listen == [Listener(.tcp(host: "127.0.0.1", port: 1))])
    }

    @Test func takesAnyFreePortOften() {
        #expect(Bench("listen: [127.0.0.1:0, 127.0.0.1:0]\n").configuration().listen.count == 2)
    }

    @Test(arguments: ["0.0.0.0:80", "'[::]:80'", "192.168.0.1:80"]) func warnsOfTheNetwork(_ address: String) {
        #expect(Bench("listen: \(address)\n").warnings.contains { $0.contains("can be reached from other machines") })
    }
}
