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
        for name in query.variables where !names.contains(name) && !isOpen && !isDeclared(name) {
            scope.mistake(
                "no parameter fills the variable '$\(name)'", at: .key, expected: "a parameter of this name",
                suggestion: Nearest.suggestion(for: name, among: names) ?? .advice("add params: {\(name): String}"))
        }
        for parameter in binding.parameters
        where !query.variables.contains(parameter.upstreamName ?? parameter.name) && !inPath.contains(parameter.name) {
            (self.scope / "params" / parameter.name).warning(
                "parameter '\(parameter.name)' is no variable of the query",
                suggestion: Nearest.suggestion(for: parameter.name, among: query.variables)
                    ?? .advice("declare $\(parameter.name) in the query"))
        }
    }
}

/// As much of a query of GraphQL as its binding has to know (GraphQL, October 2021, §2).
struct GraphQLText {
    /// `query`, `mutation` or `subscription`; nil where the text begins like none.
    private(set) var operation: String?
    /// Names of its variables, without the `$`, each once.
    private(set) var variables: [String] = []

    init(_ text: String) {
        var rest = Array(text.utf8)[...]
        var isFirst = true
        while let byte = rest.first {
            if byte == UInt8(ascii: "#") {
                rest = rest.drop { $0 != 0x0A }
            } else if byte == UInt8(ascii: "\"") {
                rest = Self.behindString(rest)
            } else if byte == UInt8(ascii: "$") {
                let name = rest.dropFirst().prefix(while: Self.isNamePart)
                let variable = String(decoding: name, as: UTF8.self)
                if !variable.isEmpty, !variables.contains(variable) { variables.append(variable) }
                rest = rest[name.endIndex...]
            } else if Self.isNamePart(byte) {
                let word = rest.prefix(while: Self.isNamePart)
                let name = String(decoding: word, as: UTF8.self)
                // A fragment may come first.
                if ["query", "mutation", "subscription"].contains(name), operation == nil { operation = name }
                if isFirst, operation == nil, name != "fragment" { return }
                isFirst = false
                rest = rest[word.endIndex...]
            } else {
                if isFirst, byte == UInt8(ascii: "{") { operation = "query" }
                if byte > 0x20 { isFirst = false }
                rest = rest.dropFirst()
            }
        }
    }

    private static func isNamePart(_ byte: UInt8) -> Bool { byte.isLetter || byte.isDigit || byte == UInt8(ascii: "_") }

    private static func behindString(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let block = Array("\"\"\"".utf8)
        if text.starts(with: block) {
            return text.dropFirst(3).firstRange(of: block).map { text[$0.upperBound...] } ?? []
        }
        var rest = text.dropFirst()
        while let byte = rest.first, byte != UInt8(ascii: "\"") {
            rest = rest.dropFirst(byte == UInt8(ascii: "\\") ? 2 : 1)
        }
        return rest.dropFirst()
    }
}
