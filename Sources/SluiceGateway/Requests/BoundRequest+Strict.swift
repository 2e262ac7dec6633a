internal import SluiceHTTP

extension BoundRequest {
    /// Whether the client would rather hear of an error than get something in its place (`Prefer: handling=strict`, RFC
    /// 7240 §4.4). To be asked where there is one: it looks through the fields.
    var isStrict: Bool { Preference.value("handling", in: head.fields)?.lowercased() == "strict" }
}
