import SluiceContract

extension BindingReader {
    /// `upgrade:`, where nothing else that the binding says contradicts a tunnel.
    mutating func readUpgrade() {
        let desk = desk
        guard let node = fields.node("upgrade"), let upgrade = desk.choice(node, of: Binding.Upgrade.self) else {
            return
        }
        binding.upgrade = upgrade
        let place = fields.keyPlace("upgrade")
        if binding.value != nil || !binding.valueByStatus.isEmpty {
            desk.findings.mistake(
                at: place, "a tunnel has no value that could be checked", expected: "a binding without 'value:'")
        }
        // RFC 6455 §4.1: the handshake is a GET, on both sides.
        if !binding.methods.isEmpty, !binding.methods.contains("GET") {
            desk.findings.mistake(
                at: place, "\(upgrade.rawValue) begins with a GET, which this binding does not take",
                expected: "a binding of GET or ANY")
        } else if let method = binding.upstreamMethod, method != "GET" {
            desk.findings.mistake(
                at: place, "\(upgrade.rawValue) begins with a GET, and 'to:' makes it a \(method)",
                expected: "a 'to:' that leaves the method as it is")
        }
    }
}
