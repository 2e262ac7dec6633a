internal import SluiceContract
internal import SluiceHTTP

/// Reads and checks the parameters of one request.
struct ParameterReader {
    /// All faults of the request, up to the number that is reported.
    private(set) var faults: [Problem.Fault] = []

    /// - Parameter head: fields that are parameters are marked, because they are written anew.
    mutating func read(
        _ route: Route, _ head: inout RequestHead, _ path: borrowing RequestPath, into values: inout ParameterValues
    ) {
        if !route.parameters.isEmpty {
            readPath(route, path, into: &values)
            readFields(route, &head, into: &values)
        }
        if !route.passesQuery, head.hasQuery { readQuery(route, head.query, into: &values) }
        for index in route.parameters.indices where !ParameterValues.isTold(faults, route) {
            values.checkPresence(index, route.parameters[index], &faults)
        }
    }

    private mutating func readPath(
        _ route: Route, _ path: borrowing RequestPath, into values: inout ParameterValues
    ) {
        for (position, name) in route.binding.path.placeholders.enumerated() {
            if ParameterValues.isTold(faults, route) { return }
            guard let index = route.parameters.firstIndex(where: { $0.name == name }) else { continue }
            let raw = path.capture(position)
            if raw.isEmpty {
                // `/fruits/` is not `/fruits`, although it looks like it.
                let template = route.binding.path
                let isLast = !template.hasRest && template.segments.last == [PathTemplate.Part.placeholder(name)]
                let hint = isLast ? "a '/' at the end counts" : nil
                faults.append(values.fault(route.parameters[index], found: "nothing", hint: hint))
                continue
            }
            if PercentEncoding.isDotSegment(raw) {
                // Percent-encoding does not help: too many programs decode before they resolve dot segments (RFC 3986
                // §3.3).
                faults.append(values.fault(route.parameters[index], found: "'.' or '..', which a path cannot hold"))
                continue
            }
            values.take(raw, plusIsSpace: false, as: index, of: route, &faults)
        }
    }

    private mutating func readQuery(
        _ route: Route, _ query: UnsafeRawBufferPointer, into values: inout ParameterValues
    ) {
        var pairs = QueryIterator(query)
        while !ParameterValues.isTold(faults, route), let pair = pairs.next() {
            if route.hasFixedParameters, values.isFixed(pair, route) {
                if route.binding.unknownParameters == .reject { faults.append(ParameterValues.fixedFault(pair.name)) }
                continue
            }
            guard let index = values.queryParameter(named: pair.name, in: route) else {
                values.undeclared(pair, route, &faults)
                continue
            }
            let parameter = route.parameters[index]
            if parameter.isList, parameter.style == .comma {
                for item in pair.value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
                    let item = UnsafeRawBufferPointer(rebasing: item)
                    values.take(item, plusIsSpace: true, as: index, of: route, &faults)
                }
            } else {
                values.take(pair.value, plusIsSpace: true, as: index, of: route, &faults)
            }
        }
    }

    private mutating func readFields(
        _ route: Route, _ head: inout RequestHead, into values: inout ParameterValues
    ) {
        for (index, parameter) in route.parameters.enumerated() {
            switch parameter.location {
            case .header:
                for field in 0..<head.fields.count {
                    let name = head.fields.name(field)
                    guard name.equalsIgnoringCase(parameter.nameBytes) else {
                        // A field under the upstream's name would bypass the parameter's checks.
                        if FieldAlias.isSame(name, parameter.fieldName) { head.fields.mark(field) }
                        continue
                    }
                    head.fields.mark(field)
                    if parameter.isList {
                        for item in head.fields.value(field).split(separator: UInt8(ascii: ",")) {
                            let item = UnsafeRawBufferPointer(rebasing: item).trimmed
                            values.takeText(item, as: index, of: route, &faults)
                        }
                    } else {
                        values.takeText(head.fields.value(field), as: index, of: route, &faults)
                    }
                }
            case .cookie:
                for field in 0..<head.fields.count where head.fields[field].id == .cookie {
                    var cookies = CookieIterator(head.fields.value(field))
                    while let cookie = cookies.next() {
                        guard cookie.name.elementsEqual(parameter.nameBytes) else { continue }
                        values.takeText(cookie.value, as: index, of: route, &faults)
                    }
                }
            case .path, .query, .body: break
            }
        }
    }
}
