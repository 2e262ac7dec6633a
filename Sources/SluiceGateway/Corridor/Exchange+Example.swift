internal import SluiceContract
internal import SluiceHTTP

extension Exchange {
    /// A client may choose among the fixtures of a route by name: `Prefer: example=empty` (RFC 7240). A name that the
    /// route does not have is ignored, as the RFC says, unless the client asks for `handling=strict` (§4.4).
    /// - Returns: why the request is refused.
    func chooseExample(_ route: Route) -> Problem? {
        guard let fixture = route.fixture, !fixture.examples.isEmpty else { return nil }
        ownFields.append(.vary, "Prefer")
        guard let name = Preference.value("example", in: request.head.fields) else { return nil }
        guard let example = fixture.examples[name] else {
            guard request.isStrict else { return nil }
            let known = fixture.examples.keys.sorted().joined(separator: " | ")
            return .badParameters(
                [Problem.Fault(name: "Prefer: example", location: "header", expected: known, found: "'\(name)'")],
                of: route.binding.name)
        }
        request.borrowedRoute = Borrowed(example)
        Array("Preference-Applied".utf8).withUnsafeBytes { field in
            Array("example=\(name)".utf8).withUnsafeBytes { ownFields.append(name: field, value: $0) }
        }
        return nil
    }
}
