internal import SluiceContract

/// The rate and concurrency counts of one binding or upstream, over all loops. A reload keeps it where its limits stay
/// the same.
final class AdmissionMeter: Sendable {
    let rate: RateBucket?
    let gate: InFlightGate?

    init(rate: RateLimit?, concurrency: ConcurrencyLimit?, name: StaticString) {
        self.rate = rate.map { RateBucket($0, name: name) }
        gate = concurrency.map { InFlightGate($0) }
    }

    private func serves(_ rate: RateLimit?, _ concurrency: ConcurrencyLimit?) -> Bool {
        self.rate?.limit == rate && gate?.limit == concurrency
    }

    /// - Parameter earlier: of the configuration before.
    static func upstream(_ settings: Upstream, after earlier: AdmissionMeter?) -> AdmissionMeter {
        if let earlier, earlier.serves(settings.rate, settings.concurrency) { return earlier }
        return AdmissionMeter(rate: settings.rate, concurrency: settings.concurrency, name: "upstream")
    }

    /// - Returns: nil where nothing is counted.
    static func binding(_ binding: Binding, after earlier: AdmissionMeter?) -> AdmissionMeter? {
        if binding.rate == nil, binding.concurrency == nil { return nil }
        if let earlier, earlier.serves(binding.rate, binding.concurrency) { return earlier }
        return AdmissionMeter(rate: binding.rate, concurrency: binding.concurrency, name: "binding")
    }
}
