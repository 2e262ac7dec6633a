import SluiceContract

/// Configurations of tests, in few words.
enum Build {
    /// A type in the notation of the configuration.
    static func type(_ text: String) throws -> TypeExpression { try TypeNotation.type(text).type }

    /// `fruit` at `fruit.example`, port 80, below `/v1`.
    static func upstream(_ name: String = "fruit", _ edit: (inout Upstream) -> Void = { _ in }) -> Upstream {
        var upstream = Upstream(
            name: name, origin: .tcp(host: "\(name).example", port: 80, tls: false), basePath: "/v1")
        edit(&upstream)
        return upstream
    }

    /// - Parameters:
    ///   - key: `GET /fruits/{id}`; the method `ANY` stands for all.
    ///   - to: `fruit /fruits/{id}` or `fruit POST /search`.
    static func binding(
        _ key: String, to target: String, value: String? = nil, _ edit: (inout Binding) throws -> Void = { _ in }
    ) throws -> Binding {
        let words = key.split(separator: " ").map(String.init)
        let to = target.split(separator: " ").map(String.init)
        var binding = Binding(
            methods: words[0] == "ANY" ? [] : words[0].split(separator: "|").map(String.init),
            path: try PathTemplate(words[1]), upstream: to[0], upstreamMethod: to.count == 3 ? to[1] : nil,
            upstreamPath: try PathTemplate(to[to.count - 1]))
        if let value { binding.value = try type(value) }
        if binding.upstreamPath.hasRest { binding.unknownParameters = .pass }
        try edit(&binding)
        return binding
    }

    static func parameter(
        _ name: String, _ type: String, in location: Parameter.Location = .query, default json: String? = nil,
        as upstreamName: String? = nil, style: Parameter.ListStyle = .repeated, null: Parameter.NullStyle = .omit
    ) throws -> Parameter {
        Parameter(
            name: name, location: location, type: try Self.type(type), defaultJSON: json, upstreamName: upstreamName,
            style: style, null: null)
    }

    /// An object type from `name: type` pairs.
    static func object(_ fields: KeyValuePairs<String, String>) throws -> ObjectType {
        ObjectType(fields: try fields.map { ObjectType.Field(name: $0.key, type: try type($0.value)) })
    }

    static func configuration(
        _ bindings: [Binding], upstreams: [Upstream] = [upstream()], types: [TypeDefinition] = [],
        _ edit: (inout Configuration) -> Void = { _ in }
    ) -> Configuration {
        var configuration = Configuration()
        configuration.bindings = bindings
        configuration.upstreams = upstreams
        configuration.types = types
        edit(&configuration)
        return configuration
    }
}
