internal import SluiceContract

/// `local-urls:`, and where URLs can be found in what goes out.
extension BindingCheck {
    func checkLocalURLs() {
        let paths = binding.localURLs
        if paths.isEmpty { return }
        let scope = scope / "local-urls"
        for (key, isSaid, reason) in [
            ("rows", binding.rows != nil, "rows have no next page"),
            ("pages", binding.pages != nil, "all pages are one answer, and none follows"),
            ("graphql", binding.graphQL != nil, "GraphQL has no URL of a next page"),
            ("upgrade", binding.upgrade != nil, "what is spoken then is no JSON"),
        ] where isSaid {
            scope.mistake("\(reason)", expected: "'local-urls:' or '\(key):'")
        }
        if !binding.path.hasRest, binding.methods.isEmpty || Set(binding.methods).isDisjoint(with: ["GET", "HEAD"]) {
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
