import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct ServerTLSSectionTests {
    private static let files: [String: Bench.File] = [
        "/a.pem": .init(text: "A", permissions: 0o644), "/a.key": .init(text: "K"),
        "/b.pem": .init(text: "B", permissions: 0o644), "/b.key": .init(text: "L"),
        "/ca.pem": .init(text: "C", permissions: 0o644),
    ]

    private func bench(_ tls: String) -> Bench {
        Bench("listen: {address: 127.0.0.1:1, tls: \(tls)}\n", files: Self.files)
    }

    @Test func readsSeveralCertificates() {
        let tls = bench(
            """
            {certificates: [{certificate: /a.pem, key: /a.key}, {certificate: /b.pem, key: /b.key}],
             client-ca: /ca.pem, client-certificate: optional}
            """
        ).configuration().listen.first?.tls
        var expected = Listener.ServerTLS(
            [.init(certificate: "/a.pem", key: "/a.key"), .init(certificate: "/b.pem", key: "/b.key")],
            clientCA: "/ca.pem")
        expected.clientCertificate = .optional
        #expect(tls == expected)
    }

    @Test(arguments: [
        ("{key: /a.key}", "1:37: key 'certificate' is missing"),
        (
            "{certificate: /a.pem, key: /b.pem}",
            "1:64: file '/b.pem' holds a secret and can be read by everybody → run: chmod g-w,o= /b.pem"
        ),
        ("{certificates: []}", "1:52: no certificate"),
        ("{certificates: [{certificate: /a.pem}]}", "1:53: key 'key' is missing"),
        (
            "{certificate: /a.pem, certificates: [{certificate: /b.pem, key: /b.key}]}",
            "1:38: 'certificate' stands beside 'certificates'"
        ),
        (
            "{certificate: /a.pem, key: /a.key, client-certificate: optional}",
            "1:72: client certificates have no authority here"
        ),
        (
            "{certificate: /a.pem, key: /a.key, client-ca: /ca.pem, client-certificate: maybe}",
            "1:112: the text 'maybe' is not known here"
        ),
    ])
    func refuses(_ value: String, _ mistake: String) {
        #expect(bench(value).mistakes.first == mistake)
    }
}
