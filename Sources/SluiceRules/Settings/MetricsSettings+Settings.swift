public import SluiceContract

extension MetricsSettings: Layered {
    public static let usual = MetricsSettings()

    public static let settings: [Setting<MetricsSettings>] = []

    /// Each costs eight bytes for every binding, upstream and event loop, and a line of every scrape.
    package static let bucketsMax = 32

    public func check(_ layer: Layer<MetricsSettings>, _ scope: Scope) {
        guard layer.tells("buckets") else { return }
        let scope = scope / "buckets"
        if buckets.isEmpty || buckets.count > Self.bucketsMax {
            scope.mistake(
                "\(buckets.count) buckets", at: .value, expected: "1 to \(Self.bucketsMax) upper bounds such as 5ms")
        }
        for (index, bound) in buckets.enumerated() {
            if bound <= .zero { scope[index].mistake("a bucket up to nothing", at: .value, expected: "more than 0") }
            if index > 0, bound <= buckets[index - 1] {
                scope[index].mistake(
                    "\(Quantity.text(bound)) is no more than the bound before it", at: .value,
                    expected: "each bound above the one before")
            }
        }
    }
}
