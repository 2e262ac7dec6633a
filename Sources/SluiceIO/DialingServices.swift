internal import Dispatch
internal import SluiceContract
internal import Synchronization

/// Services that all loops use to make connections: name resolution and TLS contexts.
final class DialingServices: Sendable {
    let resolver: Resolver
    private let state = Mutex(State())
    /// Reading the system's certificate authorities takes 20 ms, too long for a loop. One at a time, so that loops that
    /// ask for the same context share it.
    private let files = DispatchQueue(label: "sluice.certificates")

    private struct State {
        var contexts: [Upstream.ClientTLS: TLSContext] = [:]
        /// Counts the calls of `forgetContexts()`: a context that was being read before one is not kept.
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
