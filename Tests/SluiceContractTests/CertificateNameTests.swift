import SluiceContract
import Testing

@Suite struct CertificateNameTests {
    @Test(arguments: [
        ("alice", CertificateName.Kind.commonName, "alice"), ("cn:Alice", .commonName, "Alice"),
        ("dns:Agent.Example", .dns, "agent.example"), ("email:A@b", .email, "A@b"),
        ("uri:spiffe://a/b:c", .uri, "spiffe://a/b:c"), ("urn:x", .commonName, "urn:x"), (":", .commonName, ":"),
    ])
    func reads(notation: String, kind: CertificateName.Kind, text: String) {
        let name = CertificateName(notation: notation)
        #expect(name == CertificateName(kind, text))
        #expect(name.flatMap { CertificateName(notation: $0.description) } == name)
    }

    @Test(arguments: ["", "cn:", "dns:"])
    func refuses(notation: String) { #expect(CertificateName(notation: notation) == nil) }
}
