internal import SluiceContract

/// `body:` of a binding.
struct BodyCheck: BindingCheck {
    let draft: BindingDraft

    /// Methods whose requests have no body that means anything (RFC 9110 §9.3.1, §9.3.2, §9.3.8).
    private static let bodiless: Set<String> = ["GET", "HEAD", "TRACE"]

    func check() {
        guard own.tells("body") else { return }
        let scope = scope / "body"
        switch draft.binding.body {
        case .json(let type):
            typeCheck.check(type, scope)
            typeCheck.checkRequest(type, scope)
        case .form(let object): checkForm(object, scope / "form")
        case .raw(let mediaType?): checkMediaType(mediaType, scope / "raw")
        case .text(let charset?) where !Name.isToken(charset):
            (scope / "text").mistake("the text '\(charset)' is no charset", at: .value, expected: "utf-8")
        case .text, .raw, .passThrough, .none, .multipart: break
        }
        if draft.binding.body != .none, !draft.binding.methods.isEmpty,
            Set(draft.binding.methods).isSubset(of: Self.bodiless)
        {
            scope.mistake(
                "\(draft.binding.methods.joined(separator: " and ")) has no body",
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
}
