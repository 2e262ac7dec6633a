import SluiceContract

/// The long form of a parameter.
enum ParameterSection {
    static let section = Section(
        name: "parameter", summary: "A parameter with more than a type",
        keys: [
            .init("type", .type, default: "required; String beside fixed", "Its type"),
            .init(
                "in", .choice(Parameter.Location.allCases.map(\.rawValue)), default: "where it belongs",
                "Where it stands in the client's request"),
            .init("as", .text(), default: "its name", "The upstream's name for it"),
            .init("default", .any, "The value where the client leaves it out"),
            .init("fixed", .any, "Its only value, which no client can set; in the query, or in the path upstream"),
            .init(
                "style", .choice(Parameter.ListStyle.allCases.map(\.rawValue)),
                default: Parameter.ListStyle.repeated.rawValue, "How a list is written"),
            .init(
                "null", .choice(Parameter.NullStyle.allCases.map(\.rawValue)),
                default: Parameter.NullStyle.omit.rawValue, "What an absent optional becomes"),
            .init("optional", .flag, default: "false", "The same as ? behind the type, for types written as YAML"),
        ])
}

extension BindingReader {
    mutating func readParameters() {
        guard let node = fields.node("params") else { return }
        var places: [String: SourceNode.Place] = [:]
        for (name, key, value) in desk.named(node, what: "parameters: a name and a type each, such as {limit: Int}") {
            guard let parameter = parameter(name, key, value) else { continue }
            // Upstream, a name may stand once in each place; names of fields differ by more than their case.
            let sent = parameter.upstreamName ?? name
            let identity = "\(parameter.location) \(parameter.location == .header ? sent.lowercased() : sent)"
            if let earlier = places[identity] {
                desk.findings.mistake(
                    at: key.place, "parameter '\(sent)' is sent twice, first declared in line \(earlier.line)",
                    expected: "a name for each parameter of one place")
            }
            places[identity] = key.place
            binding.parameters.append(parameter)
        }
    }

    private func parameter(_ name: String, _ key: SourceNode, _ value: SourceNode) -> Parameter? {
        let desk = desk
        var location: Parameter.Location?
        var upstreamName: String?
        var style = Parameter.ListStyle.repeated
        var null = Parameter.NullStyle.omit
        var stylePlace: SourceNode.Place?
        var nullPlace: SourceNode.Place?
        let reading = types.field(value, ParameterSection.section) { fields in
            fields.set("in", &location) { desk.choice($0) }
            fields.set("as", &upstreamName) { desk.text($0, what: "a name") }
            fields.set("style", &style) { desk.choice($0) }
            fields.set("null", &null) { desk.choice($0) }
            stylePlace = fields.has("style") ? fields.keyPlace("style") : nil
            nullPlace = fields.has("null") ? fields.keyPlace("null") : nil
        }
        guard let reading else { return nil }
        if reading.isFixed, let location, location != .query {
            desk.findings.mistake(
                at: key.place, "a fixed value cannot stand in a \(location.rawValue)",
                expected: "in: query, or no 'in:'",
                suggestion: location == .header || location == .cookie ? .advice("write it under 'headers:'") : nil)
        }
        let usual = reading.isFixed ? .query : usualLocation(of: name)
        let parameter = Parameter(
            name: name, location: location ?? usual, type: reading.type,
            defaultJSON: reading.defaultJSON, isFixed: reading.isFixed,
            upstreamName: upstreamName == name ? nil : upstreamName, style: style,
            null: null)
        check(parameter, key, reading.place)
        if let stylePlace, !ParameterTypes.isList(parameter.type, types) {
            desk.findings.mistake(
                at: stylePlace, "'style' is for lists", expected: "a type such as [\(parameter.type)]")
        }
        if let nullPlace, !ParameterTypes.isOptional(parameter.type, types) {
            desk.findings.mistake(
                at: nullPlace, "'null' is for optionals", expected: "a type such as \(parameter.type)?")
        }
        return parameter
    }

    /// DESIGN §7: a placeholder of the path, else the query, unless a body of parameters is to be expected.
    private func usualLocation(of name: String) -> Parameter.Location {
        if binding.path.placeholders.contains(name) { return .path }
        let takesBody = !binding.methods.isEmpty && Set(binding.methods).isSubset(of: ["POST", "PUT", "PATCH"])
        return takesBody && !fields.has("body") ? .body : .query
    }

    private func check(_ parameter: Parameter, _ key: SourceNode, _ typePlace: SourceNode.Place) {
        let name = parameter.name
        func wrong(_ message: String, _ expected: String, at place: SourceNode.Place? = nil) {
            desk.findings.mistake(at: place ?? key.place, message, expected: expected)
        }
        let isPlaceholder = binding.path.placeholders.contains(name)
        switch parameter.location {
        case .path:
            if hasPaths, !isPlaceholder {
                wrong("path parameter '\(name)' has no place", "a placeholder {\(name)} in '\(binding.path)'")
            }
            if parameter.defaultJSON != nil || ParameterTypes.isOptional(parameter.type, types) {
                wrong("a part of the path is always there", "a type without '?' and '='", at: typePlace)
            }
        case .header:
            _ = desk.isFieldName(name, at: key.place)
            if let sent = parameter.upstreamName { _ = desk.isFieldName(sent, at: key.place) }
        case .cookie:
            for sent in [name, parameter.upstreamName ?? name] where !Name.isToken(sent) {
                wrong("'\(sent)' is no cookie name", "letters, digits and '-' (RFC 6265 §4.1.1)")
            }
        case .body:
            if fields.has("body") {
                wrong("parameter '\(name)' would make a second body", "a binding without 'body:'")
            } else if !binding.methods.isEmpty, !Set(binding.methods).isDisjoint(with: ["GET", "HEAD", "TRACE"]) {
                wrong("\(binding.methods.joined(separator: "|")) has no body", "in: query, header or cookie")
            }
        case .query: break
        }
        if isPlaceholder, parameter.location != .path {
            wrong("'{\(name)}' stands in the path", "in: path")
        }
        let isFit =
            parameter.location == .path
            ? ParameterTypes.isScalar(parameter.type, types) || ParameterTypes.isOptional(parameter.type, types)
            : ParameterTypes.isText(parameter.type, types)
        if parameter.location != .body, !isFit {
            wrong(
                "a value of type \(parameter.type) cannot stand in a \(parameter.location.rawValue)",
                parameter.location == .path
                    ? "a scalar or a set of strings" : "a scalar, a set of strings, or a list of those", at: typePlace)
        }
    }
}

/// Types that can be written as text.
enum ParameterTypes {
    /// A scalar, a closed set, or a choice of those.
    static func isScalar(_ type: TypeExpression, _ types: TypeTable) -> Bool {
        switch types.resolved(type) {
        case .scalar(.json): false
        case .scalar, .literals: true
        case .union(let members): members.allSatisfy { isScalar($0, types) }
        // What could not be read has its own mistake.
        case nil: true
        case .array, .dictionary, .optional, .null, .object, .named: false
        }
    }

    static func isText(_ type: TypeExpression, _ types: TypeTable) -> Bool {
        switch types.resolved(type) {
        case .optional(let wrapped): isText(wrapped, types)
        case .array(let element): isScalar(element, types)
        default: isScalar(type, types)
        }
    }

    static func isList(_ type: TypeExpression, _ types: TypeTable) -> Bool {
        switch types.resolved(type) {
        case .optional(let wrapped): isList(wrapped, types)
        case .array, nil: true
        default: false
        }
    }

    static func isOptional(_ type: TypeExpression, _ types: TypeTable) -> Bool {
        if case .optional = types.resolved(type) { true } else { false }
    }
}
