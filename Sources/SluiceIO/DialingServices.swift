internal import Dispatch
internal import SluiceContract
internal import Synchronization

/// What all loops need for making connections: names and certificates.
final class DialingServices: Sendable {
    let resolver: Resolver
    private let state = Mutex(State())
    /// Reading a system's authorities takes 20 ms, and no loop has so long. One at a time, so that loops that ask for
    /// the same one share it.
    private let files = DispatchQueue(label: "sluice.certificates")

    private struct State {
        var contexts: [Upstream.ClientTLS: TLSContext] = [:]
        /// Counts how often they were forgotten: what was read before is not kept after.
        var generation = 0
    }

    init(resolver: Resolver) {
        self.resolver = resolver
    }

    /// The TLS context of an upstream, where it has been made.
    func context(for upstream: Upstream) -> TLSContext? {
        state.withLock { $0.contexts[upstream.tls] }
    }

    /// Makes the TLS context of an upstream, which reads files, off the loop.
    /// - Parameter deliver: called once, from another thread.
    func makeContext(
        for upstream: Upstream, deliver: @escaping @Sendable (Result<TLSContext, TLSError>) -> Void
    ) {
        files.async { [self] in
            do throws(TLSError) {
                deliver(.success(try make(upstream.tls)))
            } catch {
                deliver(.failure(error))
            }
        }
    }

    private func make(_ settings: Upstream.ClientTLS) throws(TLSError) -> TLSContext {
        let (known, generation) = state.withLock { ($0.contexts[settings], $0.generation) }
        if let known { return known }
        let made = try TLSContext.client(settings)
        state.withLock { if $0.generation == generation { $0.contexts[settings] = made } }
        return made
    }

    /// Certificate files may have changed: contexts are made anew.
    func forgetContexts() {
        state.withLock {
            $0.contexts = [:]
            $0.generation += 1
        }
    }
}
