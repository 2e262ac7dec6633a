internal import SluiceContract
internal import SluiceJSON

/// What flows from one part into another, and into the answer.
extension CompositionCheck {
    /// The type of a part's value as the document has it; nil where it is not known.
    func value(of index: Int) -> TypeExpression? {
        guard let target = targets[index] else { return nil }
        let asked = bindings[target.binding]
        var type = asked.value?.localForm(asked.keys) ?? .scalar(.json)
        if asked.value == nil, asked.valueByStatus.isEmpty { type = .null }
        let part = parts[index]
        if part.each != nil {
            type = .array(part.isOptional ? optional(type) : type)
            return isMissingWithOthers(index) ? optional(type) : type
        }
        return part.isOptional ? optional(type) : type
    }

    private func optional(_ type: TypeExpression) -> TypeExpression {
        if case .optional = fit.resolved(type) { return type }
        return .optional(type)
    }

    /// Parts whose values the request is made of.
    private func needed(_ index: Int) -> [Int] {
        parts[index].references.filter { $0.name != parts[index].alias }.compactMap { names.firstIndex(of: $0.name) }
    }

    /// Whether a part that it needs may be missing.
    private func isMissingWithOthers(_ index: Int) -> Bool {
        needed(index).contains { parts[$0].isOptional && parts[$0].each == nil || isMissingWithOthers($0) }
    }

    // MARK: - Requests

    func checkRequest(_ index: Int) {
        let part = parts[index]
        let scope = scope(of: part)
        if isMissingWithOthers(index), !part.isOptional {
            let other = needed(index).first { parts[$0].isOptional || isMissingWithOthers($0) }.map { parts[$0].name }
            scope.mistake(
                "'\(part.name)' needs '\(other ?? "")', which may be missing", at: .value,
                expected: "optional: true here, too")
        }
        checkEach(part, index)
        guard let target = targets[index] else {
            for reference in part.referencesInText { _ = type(of: reference, in: part, scope) }
            if let body = part.body { _ = bodyType(body, part, scope / "body") }
            return
        }
        let asked = bindings[target.binding]
        for (name, text) in zip(asked.path.placeholders, target.captures) {
            guard let parameter = asked.parameters.first(where: { $0.name == name }) else { continue }
            check(text, as: parameter, of: asked, part, scope)
        }
        checkQuery(part, asked, scope)
        checkBody(part, asked, scope)
    }

    private func checkQuery(_ part: Composition.Part, _ asked: Binding, _ scope: Scope) {
        let declared = asked.parameters.filter { $0.location == .query }
        for item in part.query {
            let known = declared.filter { !$0.isFixed }.map(\.name)
            guard let parameter = declared.first(where: { $0.name == item.name }), !parameter.isFixed else {
                if asked.unknownParameters != .reject { continue }
                scope.mistake(
                    "\(asked.name) has no parameter '\(item.name)' in its query", at: .value,
                    expected: known.isEmpty ? "no query" : known.joined(separator: ", "),
                    suggestion: Nearest.suggestion(for: item.name, among: known))
                continue
            }
            check(item.value, as: parameter, of: asked, part, scope)
        }
        for parameter in declared
        where isRequired(parameter) && !part.query.contains(where: { $0.name == parameter.name }) {
            scope.mistake(
                "\(asked.name) needs its parameter '\(parameter.name)'", at: .value,
                expected: "\(parameter.name)=… in the query")
        }
    }

    private func isRequired(_ parameter: Parameter) -> Bool {
        if parameter.isFixed || parameter.defaultJSON != nil || parameter.source != nil { return false }
        switch fit.resolved(parameter.type) {
        case .optional, .array: return false
        default: return true
        }
    }

    private func check(
        _ text: Composition.Text, as parameter: Parameter, of asked: Binding, _ part: Composition.Part, _ scope: Scope
    ) {
        let types = text.map { piece -> TypeExpression? in
            guard case .value(let reference) = piece else { return .scalar(.string) }
            return type(of: reference, in: part, scope, wanted: text.count == 1 ? parameter.type : .scalar(.string))
        }
        let mayBeLeftOut = parameter.location == .query && !isRequired(parameter)
        if text.count == 1, case .value(let reference) = text[0] {
            guard let given = types[0] else { return }
            let wanted = mayBeLeftOut ? TypeExpression.optional(parameter.type) : parameter.type
            guard let fault = fit.fault(ofText: given, as: wanted) else { return }
            let place = fault.way.isEmpty ? "" : " at '\(fault.way)'"
            return scope.mistake(
                "'\(reference)'\(place) \(fault.text) as '\(parameter.name)' of \(asked.name)", at: .value,
                expected: "a value that is always of this type", suggestion: fault.suggestion)
        }
        for (piece, type) in zip(text, types) {
            guard case .value(let reference) = piece, let type,
                let fault = fit.fault(ofText: type, as: .scalar(.string))
            else { continue }
            scope.mistake("'\(reference)' \(fault.text)", at: .value, expected: "a scalar")
        }
        checkLiteral(text, as: parameter, of: asked, scope)
    }

    /// Text alone has to be of the parameter's type; text with values in it is a text.
    private func checkLiteral(_ text: Composition.Text, as parameter: Parameter, of asked: Binding, _ scope: Scope) {
        var wanted = fit.resolved(parameter.type)
        if case .optional(let wrapped) = wanted { wanted = fit.resolved(wrapped) }
        if case .array(let element) = wanted { wanted = fit.resolved(element) }
        var literal = ""
        for piece in text {
            guard case .text(let text) = piece else {
                if fit.fault(of: .scalar(.string), as: wanted) == nil { return }
                return scope.mistake(
                    "text with values in it is no \(parameter.type), as '\(parameter.name)' of \(asked.name)",
                    at: .value, expected: "one value alone")
            }
            literal += text
        }
        // What is percent-encoded is left to the request.
        if literal.contains("%") { return }
        let isRight = literal.withContiguousBytes {
            ScalarText.check($0, as: wanted, types: fit.definitions)
        }
        if !isRight {
            scope.mistake(
                "'\(literal)' is no \(parameter.type), as '\(parameter.name)' of \(asked.name)", at: .value,
                expected: "a value of type \(parameter.type)")
        }
    }

    // MARK: - Names

    /// The type of a value; nil where it has none, which is told.
    /// - Parameter wanted: what a parameter of that name would have to be.
    private func type(
        of reference: Composition.Reference, in part: Composition.Part, _ scope: Scope, wanted: TypeExpression? = nil
    ) -> TypeExpression? {
        let known: TypeExpression?
        if reference.name == part.alias {
            known = part.each.flatMap { element(of: $0, in: part) }
        } else if let index = names.firstIndex(of: reference.name) {
            known = value(of: index)
        } else if let parameter = binding.parameters.first(where: { $0.name == reference.name && $0.location != .body })
        {
            known = parameter.defaultJSON == nil ? parameter.type : present(parameter.type)
        } else {
            naming.tellUnknown(reference, in: part, wanted: wanted)
            return nil
        }
        guard let known else { return nil }
        switch fit.type(at: reference.path, in: known) {
        case .success(let type): return type
        case .failure(let fault):
            scope.mistake(
                "'\(reference)' leads nowhere: \(fault.text)", at: .value, expected: "a value of '\(reference.name)'",
                suggestion: fault.suggestion)
            return nil
        }
    }

    private func present(_ type: TypeExpression) -> TypeExpression {
        if case .optional(let wrapped) = fit.resolved(type) { wrapped } else { type }
    }

    private func element(of each: Composition.Reference, in part: Composition.Part) -> TypeExpression? {
        guard let index = names.firstIndex(of: each.name), let value = value(of: index),
            case .success(let list) = fit.type(at: each.path, in: value)
        else { return nil }
        var type = fit.resolved(present(list))
        if case .constrained(let inner, _) = type { type = inner }
        switch type {
        case .array(let element): return element
        case .scalar(.json): return .scalar(.json)
        default: return nil
        }
    }

    private func checkEach(_ part: Composition.Part, _ index: Int) {
        let scope = scope(of: part)
        SettingBounds.check(.number(part.atOnce), .count(Composition.atOnceRange), scope / "at-once")
        guard let each = part.each else {
            if part.alias != nil {
                (scope / "as").mistake("'as' names an element of a list", expected: "'each:' beside it")
            }
            return
        }
        guard let alias = part.alias else {
            return (scope / "each").mistake(
                "an element has no name", expected: "'as:' beside it, such as as: item")
        }
        guard names.contains(each.name) else { return naming.tellUnknown(list: each, of: part) }
        if type(of: each, in: part, scope / "each") != nil, element(of: each, in: part) == nil {
            (scope / "each").mistake("'\(each)' is no list", at: .value, expected: "an array")
        }
        if !part.references.contains(where: { $0.name == alias }) {
            scope.mistake(
                "each request is the same: '{\(alias)}' stands nowhere", at: .value,
                expected: "'{\(alias)}' in what is asked")
        }
    }

    // MARK: - Bodies

    private func checkBody(_ part: Composition.Part, _ asked: Binding, _ scope: Scope) {
        let inBody = asked.parameters.filter { $0.location == .body && !$0.isFixed }
        var wanted: TypeExpression?
        if case .json(let type) = asked.body { wanted = type.localForm(asked.keys) }
        if !inBody.isEmpty {
            wanted = .object(
                ObjectType(
                    fields: inBody.map {
                        ObjectType.Field(
                            name: asked.keys.localKey($0.name), type: $0.type.localForm(asked.keys),
                            defaultJSON: $0.defaultJSON)
                    }))
        }
        guard let body = part.body else {
            guard wanted != nil, part.writes else { return }
            return scope.mistake(
                "\(asked.name) needs a body", at: .value,
                expected: "'body:' with the value to send: request for the client's, or one of a part")
        }
        let place = scope / "body"
        guard part.writes, part.method != "DELETE", asked.body != .none else {
            return place.mistake("\(asked.name) takes no body", expected: "no 'body:'")
        }
        guard let given = bodyType(body, part, place), let wanted else { return }
        guard let fault = fit.fault(of: given, as: wanted) else { return }
        let way = fault.way.isEmpty ? "" : ".\(fault.way)"
        place.mistake(
            "'\(body)\(way)' \(fault.text)", at: .value, expected: "what \(asked.name) takes",
            suggestion: fault.suggestion)
    }

    private func bodyType(_ body: Composition.Reference, _ part: Composition.Part, _ scope: Scope) -> TypeExpression? {
        guard body.name == Composition.requestName else {
            return naming.checkBody(of: part) ? type(of: body, in: part, scope) : nil
        }
        guard body.path.components.isEmpty else {
            scope.mistake("the client's body is sent whole", at: .value, expected: "request")
            return nil
        }
        guard case .json(let type) = binding.body else {
            scope.mistake(
                "this binding takes no JSON that could be sent", at: .value,
                expected: "'body:' with a type beside 'parts:'")
            return nil
        }
        return type.localForm(binding.keys)
    }

    // MARK: - The answer

    /// - Returns: the type of the whole.
    func checkValue() -> TypeExpression? {
        // What follows from this is not told as well.
        if binding.value == nil, !checkSize() { return .scalar(.json) }
        var fields: [ObjectType.Field] = []
        for (index, part) in parts.enumerated() {
            guard let type = value(of: index) else {
                naming.checkValue(as: binding.value.map { fit.meaning(of: $0) })
                return binding.value
            }
            fields.append(ObjectType.Field(name: part.name, type: type))
        }
        let document = ObjectType(fields: fields, unknown: .drop)
        guard var value = binding.value else {
            // Without a word about it, all values of parts.
            var all = document
            all.fields.removeAll { $0.type == .null }
            return .object(all)
        }
        if binding.parent == nil, case .object(var object) = fit.meaning(of: value) {
            // Parts that only others need are no part of the answer.
            if !object.isComposed, object.unknown == nil { object.unknown = .drop }
            value = .object(object)
        }
        var given = TypeExpression.object(document)
        if let parent = binding.parent {
            switch fit.type(at: parent, in: given) {
            case .success(let type): given = type
            case .failure(let fault):
                (scope / "parent").mistake(
                    "'\(parent)' leads nowhere: \(fault.text)", at: .value, expected: "a value of a part",
                    suggestion: fault.suggestion)
                return value
            }
        }
        if binding.defaultJSON != nil { given = present(given) }
        for fault in fit.faults(of: given, as: value) {
            let place = fault.way.isEmpty ? "the value" : "'\(fault.way)'"
            (scope / "value").mistake(
                "\(place) \(fault.text)", at: .value, expected: "what the parts have", suggestion: fault.suggestion)
        }
        return value
    }
}

extension String {
    fileprivate func withContiguousBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var text = self
        return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
}
