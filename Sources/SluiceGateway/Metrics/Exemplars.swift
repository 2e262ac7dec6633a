internal import Synchronization

/// For each bucket of a binding's whole time, the latest traced request in it: from a histogram to a trace that shows
/// what such a request was doing (OpenMetrics 1.0.0, "Exemplars").
final class Exemplars: Sendable {
    struct Exemplar {
        let trace: TraceID
        let nanoseconds: UInt64
        /// When it was over, in seconds since 1970.
        let unixSeconds: Int
    }

    private let buckets = Mutex<[String: [Exemplar?]]>([:])

    /// - Parameters:
    ///   - bucket: its position among `count` of them.
    ///   - name: of the binding.
    func note(_ exemplar: Exemplar, inBucket bucket: Int, of count: Int, _ name: String) {
        buckets.withLock { buckets in
            if buckets[name] == nil {
                guard buckets.count < MetricsRegistry.bindingsMax else { return }
                buckets[name] = Array(repeating: nil, count: count)
            }
            buckets[name]?[bucket] = exemplar
        }
    }

    /// One for each bucket; empty where no request was traced.
    func all(of name: String) -> [Exemplar?] { buckets.withLock { $0[name] ?? [] } }
}
