internal import SluiceContract
internal import SluiceHTTP

extension BoundRequest {
    /// Writes the request target for the upstream: template, values and query, each value encoded whole, in one pass.
    /// Parameters stand in their declared order, so that equal requests have equal targets.
    func writeTarget(_ route: Route) {
        for part in route.target {
            switch part {
            case .text(let text): target.append(text)
            case .rest:
                if let rest = match.rest { target.append(path.bytes(rest)) }
            case .parameter(let index):
                if let marker = route.parameters[index].marker { target.append(marker) }
                for entry in values.entries where entry.parameter == index && route.parameters[index].marker == nil {
                    target.withSpare(values.bytes(entry).count * 3) {
                        PercentEncoding.encode(values.bytes(entry), as: .pathSegment, into: $0)
                    }
                }
            }
        }
        if route.passesQuery {
            if head.hasQuery {
                target.append(UInt8(ascii: "?"))
                target.append(head.query)
            }
            return
        }
        // Its parameters are variables of the query.
        if let query = route.graphQL { return writeQuery(toTarget: query, route) }
        var separator = UInt8(ascii: "?")
        for (index, parameter) in route.parameters.enumerated()
        where parameter.location == .query && !parameter.isInPath {
            writeQuery(index, parameter, &separator)
        }
        if values.extraQuery.count > 0 {
            target.append(separator)
            target.append(UnsafeRawBufferPointer(rebasing: values.extraQuery.bytes[1...]))
        }
    }

    private func writeQuery(_ index: Int, _ parameter: RouteParameter, _ separator: inout UInt8) {
        var isFirst = true
        for entry in values.entries where entry.parameter == index {
            if isFirst || parameter.style != .comma {
                writeName(parameter, &separator)
                target.append(UInt8(ascii: "="))
            } else {
                target.append(UInt8(ascii: ","))
            }
            if let marker = parameter.marker { target.append(marker) } else { encode(values.bytes(entry)) }
            isFirst = false
        }
        guard isFirst, !parameter.isList else { return }
        switch parameter.null {
        case .omit: break
        case .empty:
            writeName(parameter, &separator)
            target.append(UInt8(ascii: "="))
        case .literal:
            writeName(parameter, &separator)
            target.append("=null")
        }
    }

    private func writeName(_ parameter: RouteParameter, _ separator: inout UInt8) {
        target.append(separator)
        separator = UInt8(ascii: "&")
        target.append(parameter.upstreamName)
        if parameter.isList, parameter.style == .brackets { target.append("%5B%5D") }
    }

    private func encode(_ value: UnsafeRawBufferPointer) {
        target.withSpare(value.count * 3) { PercentEncoding.encode(value, as: .queryValue, into: $0) }
    }
}
