internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

extension BoundRequest {
    /// Reads the parameters, and checks that they are as declared.
    /// - Returns: every fault of the request, found in one go.
    func readParameters(_ route: Route) -> [Problem.Fault] {
        var faults: [Problem.Fault] = []
        if !route.parameters.isEmpty {
            readPath(route, &faults)
            readFields(route, &faults)
        }
        if !route.passesQuery, head.hasQuery { readQuery(route, &faults) }
        for index in route.parameters.indices { checkPresence(index, route.parameters[index], &faults) }
        return faults
    }

    private func readPath(_ route: Route, _ faults: inout [Problem.Fault]) {
        for (position, name) in route.binding.path.placeholders.enumerated() {
            guard let index = route.parameters.firstIndex(where: { $0.name == name }) else { continue }
            let raw = path.bytes(match.captures[position])
            if raw.isEmpty {
                faults.append(fault(route.parameters[index], found: "nothing"))
                continue
            }
            if PercentEncoding.isDotSegment(raw) {
                // Encoding does not help: too many programs decode before they climb (RFC 3986 §3.3).
                faults.append(fault(route.parameters[index], found: "'.' or '..', which a path cannot hold"))
                continue
            }
            take(raw, plusIsSpace: false, as: index, of: route, &faults)
        }
    }

    private func readQuery(_ route: Route, _ faults: inout [Problem.Fault]) {
        var pairs = QueryIterator(head.query)
        while let pair = pairs.next() {
            if route.hasFixedParameters, isFixed(pair, route) {
                if route.binding.unknownParameters == .reject { faults.append(Self.fixedFault(pair.name)) }
                continue
            }
            guard let index = queryParameter(named: pair.name, in: route) else {
                undeclared(pair, route, &faults)
                continue
            }
            let parameter = route.parameters[index]
            if parameter.isList, parameter.style == .comma {
                for item in pair.value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
                    take(UnsafeRawBufferPointer(rebasing: item), plusIsSpace: true, as: index, of: route, &faults)
                }
            } else {
                take(pair.value, plusIsSpace: true, as: index, of: route, &faults)
            }
        }
    }

    /// Whether a client would set what the page has fixed. Some APIs take `;` for `&`: then a value may hold others.
    private func isFixed(_ pair: QueryIterator.Pair, _ route: Route) -> Bool {
        if isFixed(pair.name, route) { return true }
        let semicolon = UInt8(ascii: ";")
        guard pair.hasValue, pair.value.contains(semicolon) else { return false }
        return pair.value.split(separator: semicolon, omittingEmptySubsequences: false).dropFirst().contains { part in
            isFixed(UnsafeRawBufferPointer(rebasing: part.prefix { $0 != UInt8(ascii: "=") }), route)
        }
    }

    /// By its own name or the upstream's. Some APIs read `a[]` and `a[0]` as `a` too, and some take letters of either
    /// case for the same.
    private func isFixed(_ raw: UnsafeRawBufferPointer, _ route: Route) -> Bool {
        let start = values.scratch.count
        defer { values.scratch.removeLast(values.scratch.count - start) }
        guard values.scratch.withSpare(raw.count, { PercentEncoding.decode(raw, plusIsSpace: true, into: $0) }) != nil
        else { return false }
        let decoded = values.scratch.bytes(start..<values.scratch.count)
        let name = UnsafeRawBufferPointer(rebasing: decoded.prefix { $0 != UInt8(ascii: "[") })
        return route.parameters.contains { parameter in
            parameter.isFixed
                && (name.equalsIgnoringCase(parameter.nameBytes) || name.equalsIgnoringCase(parameter.fieldName))
        }
    }

    private static func fixedFault(_ name: UnsafeRawBufferPointer) -> Problem.Fault {
        Problem.Fault(
            name: Shown.text(name), location: "query", expected: "nothing", found: "a value for a fixed parameter",
            hint: "leave it out: the configuration says its value")
    }

    private func queryParameter(named raw: UnsafeRawBufferPointer, in route: Route) -> Int? {
        if let index = route.parameters.firstIndex(where: { $0.location == .query && $0.nameBytes.elementsEqual(raw) })
        {
            return index
        }
        // The name may be percent-encoded, and a list may carry brackets.
        let start = values.scratch.count
        defer { values.scratch.removeLast(values.scratch.count - start) }
        guard values.scratch.withSpare(raw.count, { PercentEncoding.decode(raw, plusIsSpace: true, into: $0) }) != nil
        else { return nil }
        let name = values.scratch.bytes(start..<values.scratch.count)
        return route.parameters.firstIndex { parameter in
            guard parameter.location == .query, name.starts(with: parameter.nameBytes) else { return false }
            let after = name[parameter.nameBytes.count...]
            return after.isEmpty || (parameter.isList && after.elementsEqual("[]".utf8))
        }
    }

    private func undeclared(
        _ pair: QueryIterator.Pair, _ route: Route, _ faults: inout [Problem.Fault]
    ) {
        switch route.binding.unknownParameters {
        case .drop: break
        case .pass:
            values.extraQuery.append(UInt8(ascii: "&"))
            values.extraQuery.append(pair.name)
            if pair.hasValue {
                values.extraQuery.append(UInt8(ascii: "="))
                values.extraQuery.append(pair.value)
            }
        case .reject:
            let name = Shown.text(pair.name)
            let declared = route.binding.parameters.filter { !$0.isFixed }
            var hint: String?
            if let elsewhere = declared.first(where: { $0.name == name }) {
                hint = "'\(name)' belongs in the \(elsewhere.location.rawValue)"
            } else if let near = Nearest.name(to: name, among: declared.map(\.name), editsMax: .max) {
                hint = "did you mean '\(near)'?"
            }
            faults.append(
                Problem.Fault(
                    name: name, location: "query", expected: Self.listing(declared.filter { $0.location == .query }),
                    found: "an undeclared parameter", hint: hint))
        }
    }

    private static func listing(_ declared: [Parameter]) -> String {
        declared.isEmpty ? "no query parameter" : "one of " + declared.map(\.name).joined(separator: ", ")
    }

    private func readFields(_ route: Route, _ faults: inout [Problem.Fault]) {
        for (index, parameter) in route.parameters.enumerated() {
            switch parameter.location {
            case .header:
                for field in 0..<head.fields.count {
                    let name = head.fields.name(field)
                    guard name.equalsIgnoringCase(parameter.nameBytes) else {
                        // What the client sends under the upstream's name has not been checked.
                        if name.equalsIgnoringCase(parameter.fieldName) { head.fields.mark(field) }
                        continue
                    }
                    head.fields.mark(field)
                    if parameter.isList {
                        for item in head.fields.value(field).split(separator: UInt8(ascii: ",")) {
                            takeText(UnsafeRawBufferPointer(rebasing: item).trimmed, as: index, of: route, &faults)
                        }
                    } else {
                        takeText(head.fields.value(field), as: index, of: route, &faults)
                    }
                }
            case .cookie:
                for field in 0..<head.fields.count where head.fields[field].id == .cookie {
                    var cookies = CookieIterator(head.fields.value(field))
                    while let cookie = cookies.next() {
                        guard cookie.name.elementsEqual(parameter.nameBytes) else { continue }
                        takeText(cookie.value, as: index, of: route, &faults)
                    }
                }
            case .path, .query, .body: break
            }
        }
    }

    /// Decodes and checks a value that came percent-encoded.
    private func take(
        _ raw: UnsafeRawBufferPointer, plusIsSpace: Bool, as index: Int, of route: Route,
        _ faults: inout [Problem.Fault]
    ) {
        let start = values.scratch.count
        let written = values.scratch.withSpare(max(raw.count, 1)) {
            PercentEncoding.decode(raw, plusIsSpace: plusIsSpace, into: $0)
        }
        guard written != nil else {
            let text = route.parameters[index].shown(raw)
            faults.append(fault(route.parameters[index], found: "malformed percent-encoding \(text)"))
            return
        }
        check(index, from: start, route, &faults)
    }

    private func takeText(
        _ text: UnsafeRawBufferPointer, as index: Int, of route: Route, _ faults: inout [Problem.Fault]
    ) {
        let start = values.scratch.count
        values.scratch.append(text)
        check(index, from: start, route, &faults)
    }

    private func check(_ index: Int, from start: Int, _ route: Route, _ faults: inout [Problem.Fault]) {
        let parameter = route.parameters[index]
        let bytes = values.scratch.bytes(start..<values.scratch.count)
        guard parameter.accepts(bytes) else {
            faults.append(fault(parameter, found: parameter.shown(bytes), hint: parameter.grammar?.hint(for: bytes)))
            return
        }
        // A step or nothing in the place of a name would be another resource (RFC 3986 §5.2.4).
        if parameter.isInPath, bytes.isEmpty || PercentEncoding.isDotSegment(bytes) {
            let found = bytes.isEmpty ? "nothing" : parameter.shown(bytes)
            return faults.append(fault(parameter, expected: "a name for a path segment", found: found))
        }
        values.add(parameter: index, from: start)
    }

    private func checkPresence(_ index: Int, _ parameter: RouteParameter, _ faults: inout [Problem.Fault]) {
        let count = values.count(of: index)
        if count > 1, !parameter.isList {
            faults.append(fault(parameter, expected: "one \(parameter.element.description)", found: "\(count) values"))
        }
        guard count == 0 else { return }
        if faults.contains(where: { $0.name == parameter.name }) { return }
        if parameter.isRequired { return faults.append(fault(parameter, found: "nothing")) }
        for text in parameter.defaults {
            let start = values.scratch.count
            values.scratch.append(text)
            values.add(parameter: index, from: start)
        }
        if parameter.isInPath, parameter.defaults.isEmpty { faults.append(fault(parameter, found: "nothing")) }
    }

    private func fault(
        _ parameter: RouteParameter, expected: String? = nil, found: String, hint: String? = nil
    ) -> Problem.Fault {
        Problem.Fault(
            name: parameter.name, location: parameter.location.rawValue,
            expected: expected ?? parameter.element.description, found: found, hint: hint)
    }
}
