internal import SluiceContract

extension Route {
    /// Whether a value is cut out of successful answers.
    static func wantsJSON(_ binding: Binding) -> Bool {
        binding.value != nil || binding.valueByStatus.keys.contains { (200..<300).contains($0) }
    }

    /// The lines by which a binding that reads its answers says what it can read (RFC 9110 §12.5.1, §12.5.3): JSON, in
    /// the codings that can be decoded. None where `headers:` sets them, or where the client's own fields go upstream.
    static func accepts(of binding: Binding, _ upstream: Upstream) -> [UInt8] {
        let parameters = binding.parameters.lazy.filter { $0.location == .header }.map { $0.upstreamName ?? $0.name }
        let configured = Set(((upstream.headers + binding.headers).map(\.name) + parameters).map { $0.lowercased() })
        let isTyped = binding.value != nil || !binding.valueByStatus.isEmpty
        var lines = ""
        if wantsJSON(binding), !configured.contains("accept") {
            lines += "Accept: \(binding.rows?.format.mediaType ?? "application/json")\r\n"
        }
        if isTyped, !configured.contains("accept-encoding") {
            let codings = upstream.acceptedCodings.map(\.rawValue).joined(separator: ", ")
            lines += "Accept-Encoding: \(codings.isEmpty ? "identity" : codings)\r\n"
        }
        return Array(lines.utf8)
    }

    /// Whether the body's bytes change on the way upstream: checked, wrapped and without its content coding.
    var rewritesBody: Bool {
        switch bodyMode {
        case .json, .form: true
        case .pass, .refuse, .typed: false
        }
    }
}
