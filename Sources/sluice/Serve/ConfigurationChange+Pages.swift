internal import SluiceConfig
internal import SluiceConsole
internal import SluiceContract
internal import SluiceRules

extension ConfigurationChange {
    /// Differences between two configurations, by the settings of their explained pages. A binding that only one of
    /// them has is one change; equal bindings are not compared in detail.
    static func between(
        _ old: SluiceContract.Configuration, _ new: SluiceContract.Configuration
    ) -> [ConfigurationChange] {
        let alike = Set(old.bindings).intersection(new.bindings)
        let (oldNames, newNames) = (Set(old.bindings.map(\.name)), Set(new.bindings.map(\.name)))
        func settings(
            _ page: SluiceContract.Configuration, others: Set<String>
        ) -> [(key: String, value: String)] {
            var compared = page
            compared.bindings = page.bindings.filter { others.contains($0.name) && !alike.contains($0) }
            let alone = page.bindings.filter { !others.contains($0.name) }.map { binding in
                let place = ConfigurationPath() / "bindings" / binding.name
                return (key: "\(place)", value: "\(binding.upstream) \(binding.upstreamPath)")
            }
            return Explain.settings(compared) + alone
        }
        return between(settings(old, others: newNames), settings(new, others: oldNames))
    }
}
