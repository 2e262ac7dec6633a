internal import SluiceContract

/// `pages:`, and what can be gathered.
struct PagesCheck: BindingCheck {
    let draft: BindingDraft

    func check() {
        guard let pages = draft.binding.pages else { return }
        let scope = scope / "pages"
        // A query of GraphQL asks, whatever carries it.
        if !Set(draft.binding.methods).isSubset(of: ["GET", "HEAD"]) || draft.binding.methods.isEmpty
            || draft.binding.upstreamMethod != nil && draft.binding.graphQL == nil
        {
            scope.mistake("pages are asked for by GET", expected: "a binding of GET")
        }
        checkPagesValue(scope)
        if draft.binding.early {
            scope.mistake("the next page may stand behind the value", expected: "a binding without 'early:'")
        }
        if draft.binding.keep != nil { scope.mistake("a list has no token", expected: "a binding without 'keep:'") }
        if draft.binding.path.hasRest { scope.mistake("a list has a path of its own", expected: "a path without '**'") }
        if !PagePolicy.limits.contains(pages.limit) {
            (scope / "limit").mistake("\(pages.limit) is out of range", at: .value, expected: "1 to 10000")
        }
        if let ending = pages.ending { ending.path.checkSingle(scope / ending.name) }
        checkPagesWay(pages, scope)
        if draft.binding.graphQL != nil, pages.parameter == nil {
            (scope / "next").mistake(
                "a query of GraphQL has no URL of its next page", expected: "connection, cursor, offset or page")
        }
    }

    private func checkPagesWay(_ pages: PagePolicy, _ scope: Scope) {
        switch pages.way {
        case .cursor(let path, let parameter):
            path.checkSingle(scope / "cursor")
            checkPageParameter(parameter, scope / "as")
        case .url(let path): path.checkSingle(scope / "next")
        case .offset(let parameter, let step):
            checkPageParameter(parameter, scope / "offset")
            if !PagePolicy.steps.contains(step) {
                (scope / "step").mistake("\(step) is out of range", at: .value, expected: "1 to 1000000")
            }
        case .page(let parameter): checkPageParameter(parameter, scope / "page")
        case .link: break
        }
    }

    /// Errors have types of their own, and are no pages.
    private func checkPagesValue(_ scope: Scope) {
        let byStatus = draft.binding.valueByStatus.filter { $0.key < 400 }.sorted { $0.key < $1.key }
        let values = [draft.binding.value].compactMap(\.self) + byStatus.map(\.value)
        if values.isEmpty, !own.says("value") || !draft.binding.valueByStatus.isEmpty {
            scope.mistake(
                "'pages' has no meaning without 'value:'", expected: "the type of all items, such as [Fruit]",
                suggestion: .advice("write 'value: [JSON]' to take them unchecked"))
        }
        for value in values where !types.canBeArray(value) {
            scope.mistake(
                "pages are gathered into an array, and the value is \(value)",
                expected: "a value such as [\(value)]",
                suggestion: .advice("say by 'parent:' where the items stand"))
        }
    }

    private func checkPageParameter(_ name: String, _ scope: Scope) {
        guard let parameter = draft.binding.parameters.first(where: { ($0.upstreamName ?? $0.name) == name }) else {
            return
        }
        if draft.binding.graphQL != nil {
            if parameter.isFixed || draft.binding.upstreamPath.placeholders.contains(parameter.name) {
                scope.mistake(
                    "parameter '\(name)' does not grow", at: .value, expected: "a variable that is not fixed")
            }
        } else if parameter.isFixed || parameter.location != .query {
            scope.mistake(
                "parameter '\(name)' does not grow", at: .value, expected: "a parameter of the query that is not fixed")
        }
    }
}
