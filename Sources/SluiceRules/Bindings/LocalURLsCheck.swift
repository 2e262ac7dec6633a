internal import SluiceContract

/// `local-urls:`, and where URLs can be found in what goes out.
struct LocalURLsCheck: BindingCheck {
    let draft: BindingDraft

    func check() {
        let paths = draft.binding.localURLs
        if paths.isEmpty { return }
        let scope = scope / "local-urls"
        for (key, isSaid, reason) in [
            ("rows", draft.binding.rows != nil, "rows have no next page"),
            ("pages", draft.binding.pages != nil, "all pages are one answer, and none follows"),
            ("graphql", draft.binding.graphQL != nil, "GraphQL has no URL of a next page"),
            ("upgrade", draft.binding.upgrade != nil, "what is spoken then is no JSON"),
        ] where isSaid {
            scope.mistake("\(reason)", expected: "'local-urls:' or '\(key):'")
        }
        if !draft.binding.path.hasRest,
            draft.binding.methods.isEmpty || Set(draft.binding.methods).isDisjoint(with: ["GET", "HEAD"])
        {
            scope.mistake("URLs of pages are asked for by GET", expected: "a binding of GET")
        }
        if paths.reduce(paths.count, { $0 + $1.components.count }) > LocalURLPaths.partsMax {
            scope.mistake(
                "\(paths.count) paths are too many", expected: "at most \(LocalURLPaths.partsMax) keys in all of them")
        }
        for (index, path) in paths.enumerated() {
            let scope = scope[index]
            if path.components.isEmpty {
                scope.mistake("a path without a key", at: .value, expected: "the path of a URL, such as links.next")
            } else if path.components.contains(where: { $0.step.isChoice || $0.isOptional }) {
                scope.mistake(
                    "path '\(path)' chooses among elements", at: .value,
                    expected: "keys, indexes from the front, and '*' for all elements")
            }
        }
    }
}
