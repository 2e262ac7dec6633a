internal import SluiceHTTP

extension BoundRequest {
    /// Whether the client prefers an error over a substitute (`Prefer: handling=strict`, RFC 7240 §4.4). Searches the
    /// fields, so call it only once there is an error.
    var isStrict: Bool { Preference.value("handling", in: head.fields)?.lowercased() == "strict" }
}
