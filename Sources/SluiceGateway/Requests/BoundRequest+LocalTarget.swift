internal import SluiceContract
internal import SluiceHTTP

extension BoundRequest {
    /// The target by which a client asks `route` for what this one asks its upstream.
    func localTarget(of route: Route) -> [UInt8] {
        if route === self.route { return Array(head.target) }
        var local = ByteScratch()
        for segment in route.binding.path.segments {
            local.append(UInt8(ascii: "/"))
            for part in segment {
                switch part {
                case .text(let text): local.append(Array(text.utf8))
                case .placeholder(let name): appendValue(of: name, route, to: &local)
                }
            }
        }
        if route.binding.path.hasRest {
            local.append(UInt8(ascii: "/"))
            if let rest = match.rest { local.append(path.bytes(rest)) }
        } else if local.count == 0 {
            local.append(UInt8(ascii: "/"))
        }
        if head.hasQuery {
            local.append(UInt8(ascii: "?"))
            local.append(head.query)
        }
        return Array(local.bytes)
    }

    private func appendValue(of name: String, _ route: Route, to local: inout ByteScratch) {
        guard let index = route.parameters.firstIndex(where: { $0.name == name }) else { return }
        for entry in values.entries where entry.parameter == index {
            local.withSpare(values.bytes(entry).count * 3) {
                PercentEncoding.encode(values.bytes(entry), as: .pathSegment, into: $0)
            }
        }
    }
}
