internal import SluiceContract

/// `body:`, `value:`, `parent:`, `wrap:`, `default:` and `keep:` of a binding.
extension BindingCheck {
    /// Methods whose requests have no body that means anything (RFC 9110 §9.3.1, §9.3.2, §9.3.8).
    private static let bodiless: Set<String> = ["GET", "HEAD", "TRACE"]

    func checkBody() {
        guard own.tells("body") else { return }
        let scope = scope / "body"
        switch binding.body {
        case .json(let type):
            typeCheck.check(type, scope)
            typeCheck.checkRequest(type, scope)
        case .form(let object): checkForm(object, scope / "form")
        case .raw(let mediaType?): checkMediaType(mediaType, scope / "raw")
        case .text(let charset?) where !Name.isToken(charset):
            (scope / "text").mistake("the text '\(charset)' is no charset", at: .value, expected: "utf-8")
        case .text, .raw, .passThrough, .none, .multipart: break
        }
        if binding.body != .none, !binding.methods.isEmpty, Set(binding.methods).isSubset(of: Self.bodiless) {
            scope.mistake(
                "\(binding.methods.joined(separator: " and ")) has no body",
                expected: "a method such as POST, or no 'body:'")
        }
    }

    private func checkForm(_ object: ObjectType, _ scope: Scope) {
        typeCheck.check(object, scope)
        typeCheck.checkRequest(.object(object), scope)
        for field in object.fields where !types.isText(field.type) {
            (scope / field.name).mistake(
                "field '\(field.name)' of type \(field.type) cannot stand in a form", at: .value,
                expected: "a scalar, a set of strings, or a list of those")
        }
    }

    private func checkMediaType(_ text: String, _ scope: Scope) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count != 2 || !parts.allSatisfy({ Name.isToken(String($0)) }) {
            scope.mistake(
                "the text '\(text)' is no media type", at: .value,
                expected: "a type and a subtype, such as image/png")
        }
    }

    /// Statuses without content (RFC 9110 §15.3.5, §15.3.6, §15.4.5).
    private static let emptyStatuses: Set<Int> = [204, 205, 304]

    mutating func checkValue() {
        if let value = binding.value { check(value: value, scope / "value") }
        for (status, type) in binding.valueByStatus.sorted(by: { $0.key < $1.key }) {
            let scope = scope / "value" / String(status)
            if Self.emptyStatuses.contains(status) {
                scope.mistake("\(status) has no content", expected: "a status with content")
            }
            check(value: type, scope)
        }
        if !own.says("wrap") {
            // What comes back behind the keys goes out behind them too.
            if sendsJSON { binding.wrap = binding.parent?.keys ?? [] }
        } else if !binding.wrap.isEmpty, !sendsJSON {
            (scope / "wrap").mistake(
                "'wrap' has nothing to wrap", expected: "a JSON 'body:', or parameters in a body")
        }
        if let parent = binding.parent { check(parent, scope / "parent") }
    }

    private func check(value: TypeExpression, _ scope: Scope) {
        typeCheck.check(value, scope)
        typeCheck.checkHeads(of: value, scope)
    }

    private func check(_ parent: FieldPath, _ scope: Scope) {
        // An error's type is that of the whole answer.
        let values = [binding.value].compactMap(\.self) + binding.valueByStatus.filter { $0.key < 400 }.values
        if values.isEmpty {
            if !own.says("value") {
                scope.mistake(
                    "'parent' has no meaning without 'value:'", expected: "a type for what stands there",
                    suggestion: .advice("write 'value: JSON' to take it unchecked"))
            }
            return
        }
        if let first = parent.components.firstIndex(where: \.isOptional),
            first < parent.components.firstIndex(where: { $0.step == .wildcard }) ?? .max
        {
            scope.mistake(
                "'?' in '\(parent)' says nothing in front of a '*'",
                expected: "'?' from the first '*' on; for a value that may be absent, a type with '?' or a 'default:'")
        }
        guard parent.hasWildcard else { return }
        for value in values where !types.canBeArray(value) {
            scope.mistake(
                "path '\(parent)' yields an array, and the value is \(value)", expected: "an array as the value",
                suggestion: .didYouMean("value: [\(value)]"))
        }
    }

    func checkDefault() {
        guard own.says("default") else {
            if binding.serve.last == .default {
                (own.says("serve") ? scope / "serve" : scope).mistake(
                    "'serve' ends with 'default', and the binding has none", expected: "a value as 'default:'")
            }
            return
        }
        let scope = scope / "default"
        guard let value = binding.value else {
            if !own.says("value") || !binding.valueByStatus.isEmpty {
                scope.mistake("'default' has no meaning without 'value:'", expected: "the type of the value")
            }
            return
        }
        guard let json = binding.defaultJSON, DefaultCheck(types: types).check(json, value, scope) else { return }
        // A default hides no failed change; so it has to stand in for a value that may be absent, or for a failed
        // question.
        let safe: Set = ["GET", "HEAD", "OPTIONS"]
        guard binding.parent == nil, !binding.methods.isEmpty, safe.isDisjoint(with: binding.methods) else { return }
        scope.mistake(
            "a failed \(binding.methods.joined(separator: " or ")) is never answered with a default",
            expected: "'default:' on a binding of GET, HEAD or OPTIONS, or with 'parent:' for answers without the value"
        )
    }

    func checkKeep() {
        guard let path = binding.keep?.bearer else { return }
        let scope = scope / "keep" / "bearer"
        path.checkSingle(scope)
        binding.keep?.expires?.checkSingle(self.scope / "keep" / "expires")
        guard let value = binding.value else { return }
        let check = PathCheck(types: types, unknown: binding.unknownKeys, keys: binding.keys)
        if let message = check.fault(
            of: path, behind: binding.graphQL == nil ? binding.parent : binding.valuePath, in: value)
        {
            scope.mistake(
                "path '\(path)' is impossible: \(message.text)", at: .value, expected: "a path to a string",
                suggestion: message.suggestion)
        }
    }
}
