import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct HostsNotationTests {
    @Test(arguments: [
        ("any", Hosts.any), ("[]", .names([])),
        ("[Sluice.Test, 10.0.0.1, '::1', sluice.test]", .names(["sluice.test", "10.0.0.1", "::1"])),
    ])
    func reads(_ value: String, _ hosts: Hosts) {
        #expect(Bench("hosts: \(value)\n").configuration().hosts == hosts)
    }

    @Test(arguments: [
        ("localhost", "1:8: the text 'localhost' where host names are wanted → [localhost]"),
        ("[a.example:80]", "1:9: 'a.example:80' is no host name → a.example"),
        ("['http://a']", "1:9: 'http://a' is no host name"),
    ])
    func refuses(_ value: String, _ mistake: String) {
        #expect(Bench("hosts: \(value)\n").mistakes == [mistake])
    }
}
