internal import SluiceContract

/// `params:`, and where each parameter stands.
struct ParametersCheck: BindingCheck {
    let draft: BindingDraft

    func check() {
        var places: [String: ConfigurationPath] = [:]
        for declared in declaration.parameters {
            let scope = scope / "params" / declared.name
            guard let parameter = parameter(declared, scope) else { continue }
            // Upstream, a name may stand once in each place; names of fields differ by more than their case.
            let sent = parameter.upstreamName ?? parameter.name
            let identity =
                parameter.location.rawValue + " " + (parameter.location == .header ? sent.lowercased() : sent)
            if let earlier = places[identity] {
                scope.mistake(
                    "parameter '\(sent)' is sent twice, first declared in \(place: earlier)",
                    expected: "a name for each parameter of one place")
            }
            places[identity] = scope.path
            draft.binding.parameters.append(parameter)
        }
    }

    private func parameter(_ declared: ParameterDeclaration, _ scope: Scope) -> Parameter? {
        guard let type = declared.type else { return nil }
        typeCheck.check(type, scope)
        let isFixed = declared.fixedJSON != nil || declared.fixedSource != nil
        if isFixed, let location = declared.location, location != .query, location != .body {
            scope.mistake(
                "a fixed value cannot stand in a \(location.rawValue)", expected: "in: query, in: body, or no 'in:'",
                suggestion: location == .header || location == .cookie ? .advice("write it under 'headers:'") : nil)
        }
        if isFixed, declared.defaultJSON != nil {
            (scope / "fixed").mistake("a fixed value needs no default", expected: "one of 'fixed' and 'default'")
        }
        let defaults = DefaultCheck(types: types)
        if let json = declared.defaultJSON { defaults.check(json, type, scope / "default") }
        if let json = declared.fixedJSON { defaults.check(json, type, scope / "fixed") }
        if let json = declared.exampleJSON {
            if isFixed {
                (scope / "example").mistake("no client sets a fixed value", expected: "'fixed' without 'example'")
            }
            DefaultCheck(types: types, what: "the example").check(json, type, scope / "example")
        }
        if declared.fixedSource != nil, type != .scalar(.string) {
            (scope / "fixed").mistake("a secret is a text", expected: "the type String, or none")
        }
        let usual = isFixed ? .query : usualLocation(of: declared.name)
        var parameter = Parameter(
            name: declared.name, location: declared.location ?? usual, type: type,
            defaultJSON: declared.fixedJSON ?? declared.defaultJSON, isFixed: isFixed,
            source: declared.fixedSource,
            upstreamName: declared.upstreamName == declared.name ? nil : declared.upstreamName,
            style: declared.style ?? .repeated, null: declared.null ?? .omit)
        parameter.exampleJSON = declared.exampleJSON
        check(parameter, scope)
        if declared.style != nil, !types.isList(type) {
            (scope / "style").mistake("'style' is for lists", expected: "a type such as [\(type)]")
        }
        if declared.null != nil, !types.isOptional(type) {
            (scope / "null").mistake("'null' is for optionals", expected: "a type such as \(type)?")
        }
        return parameter
    }

    /// DESIGN §7: a placeholder of the path, else the query, unless a body of parameters is to be expected.
    private func usualLocation(of name: String) -> Parameter.Location {
        if draft.binding.path.placeholders.contains(name) { return .path }
        let takesBody =
            !draft.binding.methods.isEmpty && Set(draft.binding.methods).isSubset(of: ["POST", "PUT", "PATCH"])
        return takesBody && !own.says("body") ? .body : .query
    }

    private func check(_ parameter: Parameter, _ scope: Scope) {
        let name = parameter.name
        let isPlaceholder = draft.binding.path.placeholders.contains(name)
        switch parameter.location {
        case .path: checkInPath(parameter, isPlaceholder: isPlaceholder, scope)
        case .header:
            FieldRule.checkName(name, scope)
            if let sent = parameter.upstreamName { FieldRule.checkName(sent, scope) }
        case .cookie:
            for sent in [name, parameter.upstreamName ?? name] where !Name.isToken(sent) {
                scope.mistake("'\(sent)' is no cookie name", expected: "letters, digits and '-' (RFC 6265 §4.1.1)")
            }
        case .body where parameter.isFixed: checkMember(parameter, scope)
        case .body: checkInBody(name, scope)
        case .query: break
        }
        if isPlaceholder, parameter.location != .path {
            scope.mistake("'{\(name)}' stands in the path", expected: "in: path")
        }
        let isInPath = parameter.location == .path
        let isFit =
            isInPath
            ? types.isScalar(parameter.type) || types.isOptional(parameter.type) : types.isText(parameter.type)
        if parameter.location != .body, !isFit {
            scope.mistake(
                "a value of type \(parameter.type) cannot stand in a \(parameter.location.rawValue)", at: .type,
                expected: isInPath
                    ? "a scalar or a set of strings" : "a scalar, a set of strings, or a list of those")
        }
    }

    private func checkInPath(_ parameter: Parameter, isPlaceholder: Bool, _ scope: Scope) {
        let name = parameter.name
        if draft.paths == .known, !isPlaceholder {
            scope.mistake(
                "path parameter '\(name)' has no place", expected: "a placeholder {\(name)} in '\(draft.binding.path)'")
        }
        if parameter.defaultJSON != nil || types.isOptional(parameter.type) {
            scope.mistake(
                "a part of the path is always there", at: .type, expected: "a type without '?' and '='")
        }
    }

    /// A member that the configuration adds to the client's body: no client may send it beside.
    private func checkMember(_ parameter: Parameter, _ scope: Scope) {
        let name = parameter.upstreamName ?? parameter.name
        func refuse(_ message: Finding.Message, expected: String) {
            scope.mistake(message, expected: expected)
        }
        switch draft.binding.body {
        case .passThrough:
            if draft.binding.unknownParameters == .pass {
                refuse(
                    "a client could send '\(name)' beside the fixed one", expected: "unknown-params: reject, or drop")
            } else if !draft.binding.methods.isEmpty,
                !Set(draft.binding.methods).isDisjoint(with: ["GET", "HEAD", "TRACE"])
            {
                refuse("\(draft.binding.methods.joined(separator: "|")) has no body", expected: "in: query")
            }
        case .json(let type):
            guard let resolved = types.resolved(type) else { return }
            guard case .object(let object) = resolved else {
                return refuse(
                    "'\(name)' cannot be added to a body of type \(type)", expected: "an object with named fields")
            }
            if object.fields.contains(where: { ($0.from ?? $0.name) == name }) {
                refuse("the body has '\(name)' already", expected: "a name of its own")
            } else if object.unknown ?? draft.binding.unknownKeys == .pass {
                refuse(
                    "a client could send '\(name)' beside the fixed one",
                    expected: "'\"*\": reject' in the body's type, or 'unknown: reject'")
            }
        case .form(let object):
            if object.fields.contains(where: { ($0.from ?? $0.name) == name }) {
                refuse("the form has '\(name)' already", expected: "a name of its own")
            } else if draft.binding.unknownParameters == .pass {
                refuse(
                    "a client could send '\(name)' beside the fixed one", expected: "unknown-params: reject, or drop")
            } else if !types.isText(parameter.type) {
                refuse("a value of type \(parameter.type) cannot stand in a form", expected: "a text or a number")
            }
        case .none, .text, .raw, .multipart:
            refuse("'\(name)' has no body to stand in", expected: "a JSON body or a form")
        }
    }

    private func checkInBody(_ name: String, _ scope: Scope) {
        if own.says("body") {
            scope.mistake("parameter '\(name)' would make a second body", expected: "a binding without 'body:'")
        } else if !draft.binding.methods.isEmpty,
            !Set(draft.binding.methods).isDisjoint(with: ["GET", "HEAD", "TRACE"])
        {
            scope.mistake(
                "\(draft.binding.methods.joined(separator: "|")) has no body", expected: "in: query, header or cookie")
        }
    }
}
