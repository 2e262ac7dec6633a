internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// Decodes values one by one, checks each against its parameter and keeps it; faults are collected.
extension ParameterValues {
    /// Whether a client tries to set a parameter that the configuration has fixed. Some APIs take `;` for `&`: then a
    /// name or a value may contain more pairs.
    mutating func isFixed(_ pair: QueryIterator.Pair, _ route: Route) -> Bool {
        if isFixed(pair.name, route) { return true }
        let semicolon = UInt8(ascii: ";")
        for (text, isName) in [(pair.name, true), (pair.value, false)] where text.contains(semicolon) {
            // The part of a value before the first `;` is not a name.
            for part in text.split(separator: semicolon, omittingEmptySubsequences: false).dropFirst(isName ? 0 : 1) {
                let name = UnsafeRawBufferPointer(rebasing: part.prefix { $0 != UInt8(ascii: "=") })
                if isFixed(name, route) { return true }
            }
        }
        return false
    }

    /// Whether an undeclared parameter has the upstream's name of a declared one: its value would bypass that one's
    /// checks.
    private mutating func isUpstreams(_ raw: UnsafeRawBufferPointer, _ route: Route) -> Bool {
        withDecoded(raw) { decoded in
            let name = decoded.prefix { $0 != UInt8(ascii: "[") }
            return route.parameters.contains { $0.location == .query && $0.fieldName.elementsEqual(name) }
        } ?? false
    }

    /// Lends the decoded form of a name in the query; nil where it is malformed.
    private mutating func withDecoded<Result>(
        _ raw: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result? {
        let start = scratch.count
        defer { scratch.removeLast(scratch.count - start) }
        guard scratch.withSpare(raw.count, { PercentEncoding.decode(raw, plusIsSpace: true, into: $0) }) != nil
        else { return nil }
        return body(scratch.bytes(start..<scratch.count))
    }

    /// Whether a name is that of a fixed parameter, be it the local name or the upstream's. Some APIs read `a[]` and
    /// `a[0]` as `a` too, and some ignore case.
    private mutating func isFixed(_ raw: UnsafeRawBufferPointer, _ route: Route) -> Bool {
        withDecoded(raw) { decoded in
            let name = UnsafeRawBufferPointer(rebasing: decoded.prefix { $0 != UInt8(ascii: "[") })
            // Clients may not set the parameter in which the gateway sends a credential.
            if route.credentials.parameters.contains(where: name.equalsIgnoringCase) { return true }
            return route.parameters.contains { parameter in
                parameter.isFixed
                    && (name.equalsIgnoringCase(parameter.nameBytes) || name.equalsIgnoringCase(parameter.fieldName))
            }
        } ?? false
    }

    static func fixedFault(_ name: UnsafeRawBufferPointer) -> Problem.Fault {
        Problem.Fault(
            name: Shown.text(name), location: "query", expected: "nothing", found: "a value for a fixed parameter",
            hint: "leave it out: the configuration says its value")
    }

    mutating func queryParameter(named raw: UnsafeRawBufferPointer, in route: Route) -> Int? {
        if let index = route.parameters.firstIndex(where: { $0.location == .query && $0.nameBytes.elementsEqual(raw) })
        {
            return index
        }
        // The name may be percent-encoded, and a list may carry brackets.
        let found = withDecoded(raw) { name in
            route.parameters.firstIndex { parameter in
                guard parameter.location == .query, name.starts(with: parameter.nameBytes) else { return false }
                let after = name[parameter.nameBytes.count...]
                return after.isEmpty || (parameter.isList && after.elementsEqual("[]".utf8))
            }
        }
        return found ?? nil
    }

    mutating func undeclared(
        _ pair: QueryIterator.Pair, _ route: Route, _ faults: inout [Problem.Fault]
    ) {
        if Self.isTold(faults, route) { return }
        switch route.binding.unknownParameters {
        case .drop: break
        case .pass where isUpstreams(pair.name, route): break
        case .pass:
            extraQuery.append(UInt8(ascii: "&"))
            extraQuery.append(pair.name)
            if pair.hasValue {
                extraQuery.append(UInt8(ascii: "="))
                extraQuery.append(pair.value)
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

    /// Whether the faults of a refused request are as many as are reported: then the rest is not checked.
    static func isTold(_ faults: [Problem.Fault], _ route: Route) -> Bool {
        faults.count >= max(1, route.binding.reportCount)
    }

    private static func listing(_ declared: [Parameter]) -> String {
        declared.isEmpty ? "no query parameter" : "one of " + declared.map(\.name).joined(separator: ", ")
    }

    /// Decodes and checks a value that came percent-encoded.
    mutating func take(
        _ raw: UnsafeRawBufferPointer, plusIsSpace: Bool, as index: Int, of route: Route,
        _ faults: inout [Problem.Fault]
    ) {
        if Self.isTold(faults, route) { return }
        let start = scratch.count
        let written = scratch.withSpare(max(raw.count, 1)) {
            PercentEncoding.decode(raw, plusIsSpace: plusIsSpace, into: $0)
        }
        guard written != nil else {
            let text = route.parameters[index].shown(raw)
            faults.append(fault(route.parameters[index], found: "malformed percent-encoding \(text)"))
            return
        }
        check(index, from: start, route, &faults)
    }

    mutating func takeText(
        _ text: UnsafeRawBufferPointer, as index: Int, of route: Route, _ faults: inout [Problem.Fault]
    ) {
        if Self.isTold(faults, route) { return }
        let start = scratch.count
        scratch.append(text)
        check(index, from: start, route, &faults)
    }

    private mutating func check(_ index: Int, from start: Int, _ route: Route, _ faults: inout [Problem.Fault]) {
        let parameter = route.parameters[index]
        let bytes = scratch.bytes(start..<scratch.count)
        guard parameter.accepts(bytes) else {
            faults.append(fault(parameter, found: parameter.shown(bytes), hint: parameter.grammar?.hint(for: bytes)))
            return
        }
        if parameter.isInPath, let found = Self.unfit(bytes, parameter) {
            return faults.append(fault(parameter, expected: "a name for a path segment", found: found))
        }
        add(parameter: index, from: start)
    }

    /// A dot segment or an empty one in the place of a name would make it another resource (RFC 3986 §5.2.4), wherever
    /// the value came from; so would a value that other programs decode before they compare.
    /// - Returns: what was found; nil where the value is a name.
    private static func unfit(_ value: UnsafeRawBufferPointer, _ parameter: RouteParameter) -> String? {
        if value.isEmpty { return "nothing" }
        return PathRefusal.isName(value) ? nil : parameter.shown(value)
    }

    mutating func checkPresence(_ index: Int, _ parameter: RouteParameter, _ faults: inout [Problem.Fault]) {
        let count = count(of: index)
        if count > 1, !parameter.isList {
            faults.append(fault(parameter, expected: "one \(parameter.element.description)", found: "\(count) values"))
        }
        if count > 0, let list = parameter.list { checkList(index, parameter, list, count, &faults) }
        guard count == 0 else { return }
        if faults.contains(where: { $0.name == parameter.name }) { return }
        if parameter.isRequired { return faults.append(fault(parameter, found: "nothing")) }
        for text in parameter.defaults {
            let start = scratch.count
            scratch.append(text)
            add(parameter: index, from: start)
        }
        if parameter.isInPath, parameter.defaults.isEmpty { faults.append(fault(parameter, found: "nothing")) }
    }

    /// Checks a list as a whole, once all its values are there.
    private func checkList(
        _ index: Int, _ parameter: RouteParameter, _ list: Constraint, _ count: Int, _ faults: inout [Problem.Fault]
    ) {
        if faults.contains(where: { $0.name == parameter.name }) { return }
        var values: [[UInt8]] = []
        if list.isUnique {
            for entry in entries where entry.parameter == index { values.append(Array(bytes(entry))) }
        }
        guard let flaw = parameter.flaw(ofList: values, count: count) else { return }
        faults.append(fault(parameter, expected: flaw.expected, found: flaw.found))
    }

    func fault(
        _ parameter: RouteParameter, expected: String? = nil, found: String, hint: String? = nil
    ) -> Problem.Fault {
        Problem.Fault(
            name: parameter.name, location: parameter.location.rawValue,
            expected: expected ?? parameter.element.description, found: found, hint: hint)
    }
}
