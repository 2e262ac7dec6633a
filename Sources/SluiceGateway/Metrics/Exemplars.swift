internal import Synchronization

/// For each bucket of a binding's total time, the latest traced request in it: leads from a histogram to a trace that
/// shows what such a request was doing (OpenMetrics 1.0.0, "Exemplars").
final class Exemplars: Sendable {
    struct Exemplar {
        let trace: TraceID
        let nanoseconds: UInt64
        /// When the request ended, in seconds since 1970.
        let unixSeconds: Int
    }

    private let buckets = Mutex<[String: [Exemplar?]]>([:])

    /// - Parameters:
    ///   - bucket: the position of the bucket, of `count`.
    ///   - name: the binding's name.
    func note(_ exemplar: Exemplar, inBucket bucket: Int, of count: Int, _ name: String) {
        buckets.withLock { buckets in
            if buckets[name] == nil {
                guard buckets.count < MetricsRegistry.bindingsMax else { return }
                buckets[name] = Array(repeating: nil, count: count)
            }
            buckets[name]?[bucket] = exemplar
        }
    }

    /// One exemplar for each bucket; empty where no request was traced.
    func all(of name: String) -> [Exemplar?] { buckets.withLock { $0[name] ?? [] } }
}
