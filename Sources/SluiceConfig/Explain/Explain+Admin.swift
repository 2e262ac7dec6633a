import SluiceContract

extension Explain {
    /// `admin:`. Keys are shown as digests, which do not reveal them.
    static func admin(_ configuration: Configuration, _ writer: inout YAMLWriter) {
        if writer.leavesUsual, configuration.admin == nil, configuration.monitor == nil { return }
        let socket = configuration.admin ?? AdminSection.off
        guard let monitor = configuration.monitor else { return writer.key("admin", socket) }
        writer.mapping("admin") { writer in
            writer.key("socket", socket)
            writer.key("address", "\(Listener.Address.tcp(host: monitor.host, port: monitor.port))")
            let digests = monitor.keyDigests.map { "\"\(Hexadecimal.text($0))\"" }
            if !digests.isEmpty { writer.raw("key", "[" + digests.joined(separator: ", ") + "]") }
        }
    }
}
