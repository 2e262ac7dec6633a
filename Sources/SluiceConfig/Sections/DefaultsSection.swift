import SluiceContract

/// `defaults:`: the first layer of settings; an upstream's own, then a binding's own, win over it.
enum DefaultsSection {
    static let section = Section(
        name: "defaults", summary: "Settings for all upstreams and bindings that say nothing else",
        keys: UpstreamSection.sharedKeys + BindingSettings.keys)

    struct Defaults {
        /// A model for upstreams; its name and origin mean nothing.
        var upstream = Upstream(name: "", origin: .unix(path: ""))
        var binding = BindingSettings()
    }

    static func read(_ node: SourceNode?, _ desk: Desk) -> Defaults {
        var defaults = Defaults()
        guard let node else { return defaults }
        Fields.read(node, section, desk) { fields in
            UpstreamSection.readShared(fields, into: &defaults.upstream)
            defaults.binding.read(fields)
        }
        return defaults
    }
}
