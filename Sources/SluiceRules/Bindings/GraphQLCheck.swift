internal import SluiceContract

/// `graphql:`, and what it makes of the rest of a binding.
struct GraphQLCheck: BindingCheck {
    let draft: BindingDraft

    func check() {
        guard let document = draft.binding.graphQL else { return }
        let scope = scope / "graphql"
        var query: GraphQLText?
        switch document {
        case .query(let text): query = GraphQLText(text)
        case .persisted(let text):
            query = GraphQLText(text)
            checkPersisted(scope)
        case .registered(let id, let member): checkRegistered(id, member, scope)
        }
        if let query, !checkOperation(query, scope) { return }
        checkGraphQLMethod()
        if own.says("wrap") {
            (self.scope / "wrap").mistake("variables are not wrapped", expected: "a binding without 'wrap:'")
        }
        checkGraphQLBody()
        if let query { checkVariables(query, scope) }
        checkParent(document)
    }

    /// Every answer of GraphQL has what was asked for under `data`, and `parent:` goes on from there.
    private func checkParent(_ document: GraphQLDocument) {
        guard own.says("parent"), let path = draft.binding.parent,
            path.components.first == FieldPath.Component.key("data"),
            let text = document.text, !GraphQLText.names("data", in: text)
        else { return }
        let rest = FieldPath(components: Array(path.components.dropFirst()))
        (scope / "parent").warning(
            "'parent:' begins below 'data'", at: .value,
            suggestion: rest.components.isEmpty ? .advice("leave it out") : .didYouMean("\(rest)"))
    }

    /// - Returns: whether the rest of the query makes sense.
    private func checkOperation(_ query: GraphQLText, _ scope: Scope) -> Bool {
        guard let operation = query.operation else {
            scope.mistake("this is no query of GraphQL", expected: "query, mutation, or { and what is asked for")
            return false
        }
        if let fault = query.fault { scope.mistake("\(fault.message)", expected: fault.expected) }
        if operation == "subscription" {
            scope.mistake("a subscription is no single answer", expected: "a query or a mutation")
        }
        let safe = Set(draft.binding.methods).intersection(Self.askedByGET)
        if operation == "mutation", !safe.isEmpty || draft.binding.methods.isEmpty {
            scope.mistake("a mutation changes something, and GET does not", expected: "a binding of POST, PUT or PATCH")
        }
        return true
    }

    /// Whether the server knows the query stands in the answer, and that is looked at where its value is.
    private func checkPersisted(_ scope: Scope) {
        if hasValue || own.says("value") { return }
        scope.mistake(
            "whether the server knows the query stands in JSON, and this binding passes its answers through",
            expected: "a binding with 'value:'", suggestion: .advice("write 'value: JSON' to take the answer unchecked")
        )
    }

    private func checkRegistered(_ id: String, _ member: String, _ scope: Scope) {
        if id.isEmpty || id.utf8.count > GraphQLDocument.idBytesMax {
            (scope / "id").mistake(
                "an identifier of \(id.utf8.count) bytes", at: .value,
                expected: "1 to \(GraphQLDocument.idBytesMax) bytes")
        }
        if !Name.isToken(member) || ["query", "variables", "extensions", "operationName"].contains(member) {
            (scope / "as").mistake(
                "'\(member)' cannot hold an identifier", at: .value,
                expected: "documentId, id, doc_id, persistedQuery, or another name that the server knows")
        }
    }

    private static let askedByGET: Set<String> = ["GET", "HEAD"]

    /// A POST carries the query, unless `to:` says GET: then the variables stand in the target.
    private func checkGraphQLMethod() {
        let scope = scope / "to"
        let isSafe = !draft.binding.methods.isEmpty && Set(draft.binding.methods).isSubset(of: Self.askedByGET)
        if declaration.target?.method == "GET", isSafe {
            draft.binding.upstreamMethod = "GET"
            for parameter in draft.binding.parameters where parameter.source != nil {
                (self.scope / "params" / parameter.name).mistake(
                    "a secret would stand in the URL of a GET",
                    expected: "a 'to:' without GET, so that a POST carries it")
            }
            return
        }
        if let method = draft.binding.upstreamMethod, method != "POST" {
            scope.mistake(
                "a query of GraphQL travels in a POST, or a GET of a binding of GET", at: .value,
                expected: "POST, or no method")
        }
        if draft.binding.methods != ["POST"] { draft.binding.upstreamMethod = "POST" }
    }

    private func checkGraphQLBody() {
        draft.binding.wrap = []
        switch draft.binding.body {
        case .passThrough where !draft.binding.parameters.contains { $0.location == .body }: draft.binding.body = .none
        case .passThrough, .none, .json: break
        case .form, .text, .raw, .multipart:
            (scope / "body").mistake("variables come from JSON", expected: "a type, or parameters")
        }
        if draft.binding.upstreamMethod == "GET", draft.binding.body != .none || sendsJSON {
            (self.scope / "to").mistake(
                "a GET carries no body", at: .value, expected: "POST, or parameters of the path, query or fields")
        }
        for parameter in draft.binding.parameters where parameter.location == .cookie {
            (scope / "params" / parameter.name).mistake(
                "a cookie cannot be a variable", expected: "in: query, path, header or body")
        }
    }

    /// Every variable has a parameter, and every parameter is one.
    private func checkVariables(_ query: GraphQLText, _ scope: Scope) {
        let inPath = draft.binding.upstreamPath.placeholders
        var names = draft.binding.parameters.map { $0.upstreamName ?? $0.name }
        var isOpen = false
        if case .json(let type) = draft.binding.body {
            if case .object(let object)? = types.resolved(type) {
                names += object.fields.map { $0.from ?? $0.name }
            } else {
                isOpen = true
            }
        }
        let page = draft.binding.pages?.parameter
        for variable in query.variables {
            let name = variable.name
            if names.contains(name) || isOpen || isDeclared(name) || name == page { continue }
            scope.mistake(
                "no parameter fills the variable '$\(name)'", at: .key, expected: "a parameter of this name",
                suggestion: Nearest.suggestion(for: name, among: names)
                    ?? .advice("add params: {\(name): \(variable.type ?? "String")}"))
        }
        let variables = query.variables.map(\.name)
        if let page, !variables.contains(page) {
            (self.scope / "pages").mistake(
                "the query has no variable '$\(page)' to ask for the next page by",
                expected: "a variable that the query declares",
                suggestion: Nearest.suggestion(for: page, among: variables)
                    ?? .advice("declare $\(page) in the query, and pass it where the list is asked for"))
        }
        for parameter in draft.binding.parameters
        where !variables.contains(parameter.upstreamName ?? parameter.name) && !inPath.contains(parameter.name) {
            (self.scope / "params" / parameter.name).warning(
                "parameter '\(parameter.name)' is no variable of the query",
                suggestion: Nearest.suggestion(for: parameter.name, among: variables)
                    ?? .advice("declare $\(parameter.name) in the query"))
        }
    }
}
