internal import SluiceContract
internal import Synchronization

/// What all loops need for making connections: names and certificates.
final class DialingServices: Sendable {
    let resolver: Resolver
    private let contexts = Mutex<[Upstream.ClientTLS: TLSContext]>([:])

    init(resolver: Resolver) {
        self.resolver = resolver
    }

    /// The TLS context of an upstream; made when it is first needed, because reading the authorities takes time.
    func context(for upstream: Upstream) throws(TLSError) -> TLSContext {
        if let known = contexts.withLock({ $0[upstream.tls] }) { return known }
        let made = try TLSContext.client(upstream.tls)
        return contexts.withLock { contexts in
            if let known = contexts[upstream.tls] { return known }
            contexts[upstream.tls] = made
            return made
        }
    }

    /// Certificate files may have changed: contexts are made anew.
    func forgetContexts() {
        contexts.withLock { $0 = [:] }
    }
}
