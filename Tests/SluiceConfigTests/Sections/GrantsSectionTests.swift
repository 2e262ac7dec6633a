import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct GrantsSectionTests {
    private static let digest = String(repeating: "0f", count: 32)

    @Test func readsEachGrant() {
        let bench = fruit(
            "GET /a: {to: fruit /a, allow: {uid: [0, \"7\"], gid: 50, client: ci}}\nGET /b: {to: fruit /b, allow: any}",
            upstream: "allow: {uid: 5}", root: "clients: {ci: {key: \"\(Self.digest)\"}}")
        let bindings = bench.configuration().bindings
        #expect(bindings[0].grants == Grants(users: [0, 7], groups: [50], clients: ["ci"]))
        #expect(bindings[1].grants == nil)
    }

    @Test func readsNamesOfCertificates() {
        var bench = fruit(
            "GET /a: {to: fruit /a, allow: {subject: [alice, 'cn:a:b', 'dns:Agent.Example', 'uri:spiffe://a/b']}}",
            root: "listen: {address: '127.0.0.1:1', tls: {certificate: a, key: b, client-ca: c}, "
                + "allow: {subject: 'email:a@b'}}")
        for name in ["a", "b", "c"] { bench.files["/etc/sluice/\(name)"] = .init(text: name) }
        let configuration = bench.configuration()
        let names: [CertificateName] = [
            .init(.commonName, "alice"), .init(.commonName, "a:b"), .init(.dns, "agent.example"),
            .init(.uri, "spiffe://a/b"),
        ]
        #expect(configuration.bindings[0].grants == Grants(subjects: names))
        #expect(configuration.listen[0].grants == Grants(subjects: [.init(.email, "a@b")]))
    }

    /// Nobody could ever pass.
    @Test func warnsWhereNoCertificateCanBeShown() throws {
        let loaded = try fruit("GET /a: {to: fruit /a, allow: {subject: alice}}").reader.read()
        #expect(loaded.warnings.map(\.message).contains { $0.hasSuffix("no listener asks its clients for one") })
    }

    @Test func namesOfThisSystemCount() {
        var reader = fruit("GET /a: {to: fruit /a, allow: {uid: alice, gid: [staff, nobodys]}}").reader
        reader.surroundings.user = { $0 == "alice" ? 1000 : nil }
        reader.surroundings.group = { $0 == "staff" ? 50 : nil }
        let loaded = try? reader.read()
        #expect(loaded?.mistakes.map(\.message) == ["there is no group 'nobodys' on this system"])
    }

    @Test func readsTheListeners() {
        let bench = fruit(
            "GET /a: {to: fruit /a}", root: "listen: {address: unix:/run/a.sock, allow: {gid: 7}}")
        #expect(bench.configuration().listen.first?.grants == Grants(groups: [7]))
    }

    @Test(arguments: [
        (
            "GET /a: {to: fruit /a, allow: {client: [ic]}}", "clients: {ci: {key: \"\(digest)\"}}",
            "there is no client 'ic' → ci"
        ),
        ("GET /a: {to: fruit /a, allow: {}}", "hosts: any", "nobody is allowed → write allow: any where everybody is"),
        ("GET /a: {to: fruit /a, allow: alice}", "hosts: any", "'alice' does not say who is allowed"),
        (
            "GET /a: {to: fruit /a}", "listen: {address: '127.0.0.1:80', allow: {uid: 1}}",
            "users and groups are known at Unix sockets only"
        ),
        (
            "GET /a: {to: fruit /a}", "listen: {address: '127.0.0.1:80', allow: {subject: alice}}",
            "this listener asks for no client certificate"
        ),
        (
            "GET /a: {to: fruit /a}", "listen: {address: 'unix:/a', allow: {subject: alice}}",
            "this listener asks for no client certificate"
        ),
        ("GET /a: {to: fruit /a, allow: {subject: 'dns:'}}", "hosts: any", "'dns:' names nobody"),
    ])
    func refuses(binding: String, root: String, mistake: String) {
        let mistakes = fruit(binding, root: root).mistakes
        #expect(mistakes.count == 1 && mistakes.allSatisfy { $0.hasSuffix(mistake) }, "\(mistakes)")
    }
}
