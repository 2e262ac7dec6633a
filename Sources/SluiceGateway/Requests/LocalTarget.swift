internal import SluiceContract
internal import SluiceHTTP

/// The local target by which a client would request `route`, if it is to ask the upstream for the same as another
/// request.
enum LocalTarget {
    static func bytes(of route: Route, for request: BoundRequest) -> [UInt8] {
        if route === request.route { return Array(request.head.target) }
        var local = ByteScratch()
        for segment in route.binding.path.segments {
            local.append(UInt8(ascii: "/"))
            for part in segment {
                switch part {
                case .text(let text): local.append(Array(text.utf8))
                case .placeholder(let name): append(name, route, request.values, to: &local)
                }
            }
        }
        if route.binding.path.hasRest {
            local.append(UInt8(ascii: "/"))
            if let rest = request.path.rest { local.append(rest) }
        } else if local.count == 0 {
            local.append(UInt8(ascii: "/"))
        }
        if request.head.hasQuery {
            local.append(UInt8(ascii: "?"))
            local.append(request.head.query)
        }
        return Array(local.bytes)
    }

    private static func append(
        _ name: String, _ route: Route, _ values: borrowing ParameterValues, to local: inout ByteScratch
    ) {
        guard let index = route.parameters.firstIndex(where: { $0.name == name }) else { return }
        for entry in values.entries where entry.parameter == index {
            local.withSpare(values.bytes(entry).count * 3) {
                PercentEncoding.encode(values.bytes(entry), as: .pathSegment, into: $0)
            }
        }
    }
}
