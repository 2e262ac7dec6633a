internal import SluiceContract

/// `pages:`, and what can be gathered.
extension BindingCheck {
    func checkPages() {
        guard let pages = binding.pages else { return }
        let scope = scope / "pages"
        // A query of GraphQL asks, whatever carries it.
        if !Set(binding.methods).isSubset(of: ["GET", "HEAD"]) || binding.methods.isEmpty
            || binding.upstreamMethod != nil && binding.graphQL == nil
        {
            scope.mistake("pages are asked for by GET", expected: "a binding of GET")
        }
        checkPagesValue(scope)
        if binding.early {
            scope.mistake("the next page may stand behind the value", expected: "a binding without 'early:'")
        }
        if binding.keep != nil { scope.mistake("a list has no token", expected: "a binding without 'keep:'") }
        if binding.path.hasRest { scope.mistake("a list has a path of its own", expected: "a path without '**'") }
        if !PagePolicy.limits.contains(pages.limit) {
            (scope / "limit").mistake("\(pages.limit) is out of range", at: .value, expected: "1 to 10000")
        }
        if let ending = pages.ending { ending.path.checkSingle(scope / ending.name) }
        checkPagesWay(pages, scope)
        if binding.graphQL != nil, pages.parameter == nil {
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
        let byStatus = binding.valueByStatus.filter { $0.key < 400 }.sorted { $0.key < $1.key }
        let values = [binding.value].compactMap(\.self) + byStatus.map(\.value)
        if values.isEmpty, !own.says("value") || !binding.valueByStatus.isEmpty {
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
        guard let parameter = binding.parameters.first(where: { ($0.upstreamName ?? $0.name) == name }) else { return }
        if binding.graphQL != nil {
            if parameter.isFixed || binding.upstreamPath.placeholders.contains(parameter.name) {
                scope.mistake(
                    "parameter '\(name)' does not grow", at: .value, expected: "a variable that is not fixed")
            }
        } else if parameter.isFixed || parameter.location != .query {
            scope.mistake(
                "parameter '\(name)' does not grow", at: .value, expected: "a parameter of the query that is not fixed")
        }
    }
}
