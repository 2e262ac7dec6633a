import SluiceContract
import Testing

@testable import SluiceIO

@Suite struct DialingServicesTests {
    private func upstream(_ tls: Upstream.ClientTLS) -> Upstream {
        var upstream = Upstream(name: "fruit", origin: .tcp(host: "localhost", port: 443, tls: true))
        upstream.tls = tls
        return upstream
    }

    private func make(_ services: DialingServices, _ upstream: Upstream) async -> Result<TLSContext, TLSError> {
        await withCheckedContinuation { continuation in
            services.makeContext(for: upstream) { continuation.resume(returning: $0) }
        }
    }

    /// Until the configuration is read anew, one context serves all loops.
    @Test func contextsAreMadeOnce() async throws {
        let services = DialingServices(resolver: Resolver())
        let upstream = upstream(TestCertificates.shared.client())
        #expect(services.context(for: upstream) == nil)
        async let first = make(services, upstream)
        async let second = make(services, upstream)
        let made = try await first.get()
        #expect(try await second.get() === made)
        #expect(services.context(for: upstream) === made)
        services.forgetContexts()
        #expect(services.context(for: upstream) == nil)
        #expect(try await make(services, upstream).get() !== made)
    }

    @Test func whatCannotBeReadIsTold() async {
        let services = DialingServices(resolver: Resolver())
        var settings = Upstream.ClientTLS()
        settings.ca = "/nowhere/ca.pem"
        guard case .failure(.file(let path, _)) = await make(services, upstream(settings)) else {
            Issue.record("no failure")
            return
        }
        #expect(path == "/nowhere/ca.pem")
    }
}
