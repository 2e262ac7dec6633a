import SluiceContract
import Testing

@testable import SluiceGateway

/// Users, groups and keys.
@Suite struct ExchangeAuthoriseTests {
    private static func digest(_ key: String) -> [UInt8] {
        let hexadecimal = Array(key.utf8).withUnsafeBytes { KeyDigest(of: $0).hexadecimal }
        return stride(from: 0, to: 64, by: 2).compactMap { offset in
            let start = hexadecimal.index(hexadecimal.startIndex, offsetBy: offset)
            return UInt8(hexadecimal[start...].prefix(2), radix: 16)
        }
    }

    private static func bench(_ grants: Grants?, rate: RateLimit? = nil) throws -> Bench {
        try Bench(
            Build.configuration([
                try Build.binding("ANY /raw/**", to: "fruit /**") { $0.grants = grants },
                try Build.binding("ANY /open/**", to: "fruit /**"),
            ]) {
                $0.clients = [
                    KnownClient(name: "ci", keyDigests: [digest("key of ci"), digest("next-key")], rate: rate),
                    KnownClient(name: "dev", keyDigests: [digest("key-of-dev")]),
                ]
            })
    }

    /// FIPS 180-4: the digest of "abc".
    @Test func theDigestIsSHA256() {
        let text = Array("abc".utf8).withUnsafeBytes { KeyDigest(of: $0).hexadecimal }
        #expect(text == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test(arguments: [
        ("Authorization: Bearer key of ci", 200), ("authorization: bearer next-key", 200), ("X-API-Key: next-key", 200),
        ("X-API-Key: key-of-dev", 403), ("X-API-Key: wrong", 401), ("Authorization: Bearer wrong", 401),
        ("Authorization: Basic bmV4dC1rZXk=", 401), ("X-Other: next-key", 401), ("X-API-Key: ", 401),
        ("X-API-Key: next-key\r\nX-API-Key: key-of-dev", 401), ("Authorization: Bearer ", 401),
        ("X-API-Key: next-key\r\nX-API-Key: key-of-dev\r\nAuthorization: Bearer next-key", 401),
    ])
    func keys(field: String, status: Int) throws {
        let bench = try Self.bench(Grants(clients: ["ci"]))
        let answer = try bench.get("/raw/a", field)
        #expect(answer.status == status)
        #expect((answer["WWW-Authenticate"] != nil) == (status == 401))
        #expect(bench.origins.isEmpty == (status != 200))
    }

    /// RFC 6750 §3, §3.1.
    @Test func challengesSayWhatIsWrong() throws {
        let bench = try Self.bench(Grants(clients: ["ci"]))
        #expect(try bench.get("/raw/a")["WWW-Authenticate"] == #"Bearer realm="sluice""#)
        #expect(
            try bench.get("/raw/a", "X-API-Key: no")["WWW-Authenticate"]
                == #"Bearer realm="sluice", error="invalid_token""#)
    }

    /// A key of ours goes nowhere else, whether it was asked for or not.
    @Test(arguments: ["/raw/a", "/open/a"])
    func keysStayHere(target: String) throws {
        let bench = try Self.bench(Grants(clients: ["ci"]))
        try bench.get(target, "X-API-Key: next-key", "Authorization: Bearer next-key")
        #expect(try bench.forwarded().values("X-API-Key") == [])
        #expect(try bench.forwarded().values("Authorization") == [])
    }

    /// Whatever their number and order, fields that carry a client's key stay here; all others go on.
    @Test func allKeysStayHere() throws {
        let fields = [
            ("X-API-Key", "next-key", true), ("X-API-Key", "key of ci", true), ("X-API-Key", "key-of-dev", true),
            ("X-API-Key", "theirs", false), ("Authorization", "Bearer next-key", true),
            ("Authorization", "Bearer key-of-dev", true), ("Authorization", "Bearer theirs", false),
            ("Authorization", "Basic bmV4dC1rZXk=", false),
        ]
        for first in fields {
            for second in fields {
                for third in fields {
                    let bench = try Self.bench(nil)
                    let sent = [first, second, third]
                    let lines = sent.map { "\($0.0): \($0.1)\r\n" }.joined()
                    try bench.exchange("GET /raw/a HTTP/1.1\r\nHost: localhost\r\n\(lines)\r\n")
                    for name in ["X-API-Key", "Authorization"] {
                        let passed = sent.filter { $0.0 == name && !$0.2 }.map(\.1)
                        #expect(try bench.forwarded().values(name) == passed, "\(lines)")
                    }
                }
            }
        }
    }

    /// What is no key of ours is the upstream's to judge.
    @Test func otherKeysPass() throws {
        let bench = try Self.bench(nil)
        try bench.get("/raw/a", "X-API-Key: theirs")
        #expect(try bench.forwarded().values("X-API-Key") == ["theirs"])
    }

    @Test func theLogHasTheName() throws {
        let bench = try Self.bench(nil)
        var names: [String?] = []
        bench.gateway.accessLog = { names.append($0.clientName) }
        try bench.get("/raw/a", "X-API-Key: key-of-dev")
        try bench.get("/raw/a")
        #expect(names == ["dev", nil])
    }

    /// By name, whatever the address.
    @Test func aNameHasItsOwnRate() throws {
        let bench = try Self.bench(nil, rate: RateLimit(1, per: .seconds(1)))
        #expect(try bench.get("/raw/a", "X-API-Key: next-key").status == 200)
        #expect(try bench.get("/open/a", "X-API-Key: next-key").status == 429)
        #expect(try bench.get("/open/a", "X-API-Key: key-of-dev").status == 200)
        #expect(try bench.get("/open/a").status == 200)
    }

    private static let users = Grants(users: [1000], groups: [50])

    static let credentials: [(PeerCredentials?, Int)] = [
        (PeerCredentials(user: 1000, group: 1), 200), (PeerCredentials(user: 1, group: 50), 200),
        (PeerCredentials(user: 1, group: 1, groups: [4, 50]), 200), (PeerCredentials(user: 0, group: 0), 403),
        (PeerCredentials(user: 50, group: 1000, groups: [1000]), 403), (nil, 403),
    ]

    @Test(arguments: credentials)
    func usersAndGroups(credentials: PeerCredentials?, status: Int) throws {
        for isListener in [true, false] {
            let bench = try Bench(
                Build.configuration([
                    try Build.binding("ANY /raw/**", to: "fruit /**") { $0.grants = isListener ? nil : Self.users }
                ]) { if isListener { $0.listen[0].grants = Self.users } })
            let client = bench.client(
                address: "", credentials: credentials, grants: isListener ? Self.users : nil)
            client.request("GET", "/raw/a")
            bench.origins.last?.answer(200)
            #expect(client.answers.first?.status == status)
            #expect(client.answers.first?["WWW-Authenticate"] == nil)
        }
    }

    private static let subjects = Grants(subjects: [.init(.commonName, "alice"), .init(.dns, "agent.example")])

    static let certificates: [([CertificateName], Int)] = [
        ([.init(.commonName, "alice")], 200),
        ([.init(.commonName, "bob"), .init(.dns, "x.example"), .init(.dns, "AGENT.example")], 200),
        ([.init(.commonName, "agent.example")], 403), ([.init(.email, "alice")], 403),
        ([.init(.commonName, "alice2")], 403), ([.init(.commonName, "Alice")], 403), ([], 403),
    ]

    /// The same name of another kind is another name.
    @Test(arguments: certificates, [false, true])
    func namesInCertificates(row: ([CertificateName], Int), isHTTP2: Bool) throws {
        let (names, status) = row
        for isListener in [true, false] {
            let bench = try Bench(
                Build.configuration([
                    try Build.binding("ANY /raw/**", to: "fruit /**") { $0.grants = isListener ? nil : Self.subjects }
                ]) { if isListener { $0.listen[0].grants = Self.subjects } })
            let client = bench.client(
                isTLS: true, grants: isListener ? Self.subjects : nil, subjects: names, isHTTP2: isHTTP2)
            if isHTTP2 {
                let client = HTTP2Client(client)
                client.get(1, "/raw/a")
                bench.origins.last?.answer(200)
                #expect(client.answer(1).status == status)
            } else {
                client.request("GET", "/raw/a")
                bench.origins.last?.answer(200)
                #expect(client.answers.first?.status == status)
                #expect(client.answers.first?["WWW-Authenticate"] == nil)
            }
        }
    }

    /// Who is at a Unix socket, or shows nothing, has no name in a certificate.
    @Test(arguments: [PeerCredentials(user: 0, group: 0), nil])
    func othersShowNoCertificate(credentials: PeerCredentials?) throws {
        let bench = try Self.bench(Self.subjects)
        let client = bench.client(address: "", credentials: credentials)
        client.request("GET", "/raw/a")
        #expect(client.answers.map(\.status) == [403])
        #expect(bench.origins.isEmpty)
    }

    /// One of the grants is enough.
    @Test func aKeyInThePlaceOfAUser() throws {
        let bench = try Self.bench(Grants(users: [1000], clients: ["ci"]))
        let client = bench.client(address: "", credentials: PeerCredentials(user: 7, group: 7))
        client.request("GET", "/raw/a")
        client.request("GET", "/raw/a", "X-API-Key: next-key")
        try bench.origin().answer(200)
        #expect(client.answers.map(\.status) == [401, 200])
    }
}
