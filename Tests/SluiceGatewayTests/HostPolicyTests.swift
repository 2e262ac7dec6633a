import SluiceContract
import Testing

@testable import SluiceGateway

@Suite struct HostPolicyTests {
    /// What is served to clients, and what at the monitor, whose own address is no name of a binding's.
    @Test(arguments: [
        ("localhost", true, true), ("LOCALHOST:80", true, true), ("127.0.0.1", true, true), ("[::1]:9", true, true),
        ("127.0.0.2:9100", false, true), ("127.0.0.3", false, false), ("evil.example", false, false),
        ("api.example", true, true), ("", false, false),
    ])
    func serves(_ authority: String, _ isClients: Bool, _ isMonitors: Bool) {
        var configuration = Configuration()
        configuration.hosts = .names(["api.example"])
        configuration.monitor = MonitorPlace(host: "127.0.0.2", port: 9100)
        let policy = HostPolicy(configuration)
        Array(authority.utf8).withUnsafeBytes {
            #expect(policy.serves($0) == isClients)
            #expect(policy.servesMonitor($0) == isMonitors)
        }
    }
}
