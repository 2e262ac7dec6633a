internal import SluiceConfig
internal import SluiceContract

/// Assigns `name=value` pairs to the parameters of a binding.
struct CallArguments {
    private let target: CallTarget
    private let types: [TypeDefinition]
    private var path: [String: String]
    private var query: [(name: String, value: String)] = []
    private var cookies: [(name: String, value: String)] = []
    private(set) var fields: [(name: String, value: String)] = []
    /// Values for the body by name, in the order of their first mention.
    private(set) var members: [(name: String, values: [String])] = []

    /// A mistake in the pairs; `description` is for people.
    struct Fault: Error, CustomStringConvertible {
        var description: String
    }

    init(_ pairs: [String], for target: CallTarget, types: [TypeDefinition]) throws(Fault) {
        self.target = target
        self.types = types
        path = target.captures
        for pair in pairs {
            guard let equals = pair.firstIndex(of: "="), equals > pair.startIndex else {
                throw Fault(description: "'\(pair)' is no name=value")
            }
            try take(String(pair[..<equals]), String(pair[pair.index(after: equals)...]))
        }
    }

    private mutating func take(_ name: String, _ value: String) throws(Fault) {
        let binding = target.binding
        if let parameter = binding.parameters.first(where: { $0.name == name }) {
            switch parameter.location {
            case .path: path[name] = Encoded.segment(value)
            case .query: query.append((name, value))
            case .header: fields.append((name, value))
            case .cookie: cookies.append((name, value))
            case .body: addMember(name, value)
            }
        } else if bodyFields.contains(where: { $0.name == name }) {
            addMember(name, value)
        } else if binding.unknownParameters != .reject {
            query.append((name, value))
        } else {
            let known = binding.parameters.map(\.name) + bodyFields.map(\.name)
            let near = Nearest.name(to: name, among: known)
            throw Fault(
                description: "\(binding.name) has no parameter '\(name)'; "
                    + (near.map { "did you mean '\($0)'?" }
                        ?? (known.isEmpty ? "it takes none" : "it has \(known.joined(separator: ", "))")))
        }
    }

    private mutating func addMember(_ name: String, _ value: String) {
        if let index = members.firstIndex(where: { $0.name == name }) {
            members[index].values.append(value)
        } else {
            members.append((name, [value]))
        }
    }

    // MARK: - What the binding's body consists of

    private var bodyFields: [ObjectType.Field] {
        switch target.binding.body {
        case .json(let type):
            guard case .object(let object) = type.resolved(types) else { return [] }
            return object.fields
        case .form(let object): return object.fields
        case .passThrough, .none, .text, .raw, .multipart: return []
        }
    }

    /// The type of a member of the body.
    func type(of name: String) -> TypeExpression {
        target.binding.parameters.first { $0.name == name }?.type ?? bodyFields.first { $0.name == name }?.type
            ?? .scalar(.json)
    }

    // MARK: - The request target

    /// Path and query, encoded.
    func requestTarget() throws(Fault) -> String {
        var text = ""
        for segment in target.binding.path.segments {
            text += "/"
            for part in segment {
                switch part {
                case .text(let literal): text += Encoded.segment(literal)
                case .placeholder(let name):
                    guard let value = path[name] else {
                        throw Fault(description: "\(target.binding.name) needs \(name)=…")
                    }
                    text += value
                }
            }
        }
        text += target.rest
        if text.isEmpty { text = "/" }
        var pairs = query.map { "\(Encoded.query($0.name))=\(Encoded.query($0.value))" }
        if !target.query.isEmpty { pairs.insert(target.query, at: 0) }
        return pairs.isEmpty ? text : text + "?" + pairs.joined(separator: "&")
    }

    /// The `Cookie` field's value; nil where there are none.
    var cookie: String? {
        cookies.isEmpty ? nil : cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }
}

extension TypeExpression {
    /// The type with names looked up and optionality removed.
    func resolved(_ types: [TypeDefinition]) -> TypeExpression {
        var type = self
        for _ in 0...types.count {
            if case .optional(let wrapped) = type {
                type = wrapped
            } else if case .named(let name) = type, let found = types.first(where: { $0.name == name }) {
                type = found.type
            } else {
                return type
            }
        }
        return type
    }
}
