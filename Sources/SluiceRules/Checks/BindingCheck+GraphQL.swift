internal import SluiceContract

/// `graphql:`, and what it makes of the rest of a binding.
extension BindingCheck {
    mutating func checkGraphQL() {
        guard let text = binding.graphQL else { return }
        let scope = scope / "graphql"
        let query = GraphQLText(text)
        guard let operation = query.operation else {
            return scope.mistake(
                "this is no query of GraphQL", expected: "query, mutation, or { and what is asked for")
        }
        if let fault = query.fault { scope.mistake("\(fault.message)", expected: fault.expected) }
        if operation == "subscription" {
            scope.mistake("a subscription is no single answer", expected: "a query or a mutation")
        }
        let safe = Set(binding.methods).intersection(["GET", "HEAD"])
        if operation == "mutation", !safe.isEmpty || binding.methods.isEmpty {
            scope.mistake("a mutation changes something, and GET does not", expected: "a binding of POST, PUT or PATCH")
        }
        if let method = binding.upstreamMethod, method != "POST" {
            (self.scope / "to").mistake(
                "a query of GraphQL travels in a POST", at: .value, expected: "POST, or no method")
        }
        if binding.methods != ["POST"] { binding.upstreamMethod = "POST" }
        if own.says("wrap") {
            (self.scope / "wrap").mistake("variables are not wrapped", expected: "a binding without 'wrap:'")
        }
        checkGraphQLBody()
        checkVariables(query, scope)
    }

    private mutating func checkGraphQLBody() {
        binding.wrap = []
        switch binding.body {
        case .passThrough where !binding.parameters.contains { $0.location == .body }: binding.body = .none
        case .passThrough, .none, .json: break
        case .form, .text, .raw, .multipart:
            (scope / "body").mistake("variables come from JSON", expected: "a type, or parameters")
        }
        for parameter in binding.parameters where parameter.location == .cookie {
            (scope / "params" / parameter.name).mistake(
                "a cookie cannot be a variable", expected: "in: query, path, header or body")
        }
    }

    /// Every variable has a parameter, and every parameter is one.
    private func checkVariables(_ query: GraphQLText, _ scope: Scope) {
        let inPath = binding.upstreamPath.placeholders
        var names = binding.parameters.map { $0.upstreamName ?? $0.name }
        var isOpen = false
        if case .json(let type) = binding.body {
            if case .object(let object)? = types.resolved(type) {
                names += object.fields.map { $0.from ?? $0.name }
            } else {
                isOpen = true
            }
        }
        for variable in query.variables {
            let name = variable.name
            if names.contains(name) || isOpen || isDeclared(name) { continue }
            scope.mistake(
                "no parameter fills the variable '$\(name)'", at: .key, expected: "a parameter of this name",
                suggestion: Nearest.suggestion(for: name, among: names)
                    ?? .advice("add params: {\(name): \(variable.type ?? "String")}"))
        }
        let variables = query.variables.map(\.name)
        for parameter in binding.parameters
        where !variables.contains(parameter.upstreamName ?? parameter.name) && !inPath.contains(parameter.name) {
            (self.scope / "params" / parameter.name).warning(
                "parameter '\(parameter.name)' is no variable of the query",
                suggestion: Nearest.suggestion(for: parameter.name, among: variables)
                    ?? .advice("declare $\(parameter.name) in the query"))
        }
    }
}
