internal import SluiceContract

extension Route {
    /// The line by which a binding that reads its answers says what it can decode (RFC 9110 §12.5.3); empty where the
    /// configuration says it in `headers:`, or where the client's own goes upstream.
    static func acceptEncoding(of binding: Binding, _ upstream: Upstream) -> [UInt8] {
        let isTyped = binding.value != nil || !binding.valueByStatus.isEmpty
        let isConfigured = (upstream.headers + binding.headers).contains { $0.name.lowercased() == "accept-encoding" }
        if !isTyped || isConfigured { return [] }
        let codings = upstream.acceptedCodings.map(\.rawValue).joined(separator: ", ")
        return Array("Accept-Encoding: \(codings.isEmpty ? "identity" : codings)\r\n".utf8)
    }
}
