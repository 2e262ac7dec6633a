import SluiceContract
import SluiceRules

/// One binding while it is read; its meaning is checked once the whole file has been read.
struct BindingReader {
    let fields: Fields
    let types: TypeTable
    let upstreamNames: [String]
    var binding: BindingDeclaration
    /// The types of the value, as which fixtures are read: the usual one, and those by status.
    var valueTypes: (usual: TypeExpression?, byStatus: [Int: TypeExpression]) = (nil, [:])
    var context: ReadingContext { fields.context }

    init(
        fields: Fields, types: TypeTable, upstreamNames: [String], _ name: String, _ route: BindingKey.Route?
    ) {
        self.fields = fields
        self.types = types
        self.upstreamNames = upstreamNames
        binding = BindingDeclaration(name, methods: route?.methods ?? [], path: route?.path)
    }

    mutating func read(_ groups: ParameterGroups) {
        if let node = fields.node("parts") { binding.parts = PartsSection.read(node, context) }
        let target = binding.parts == .none ? fields.required("to") : fields.node("to")
        binding.target = target.flatMap { BindingKey.target($0, context, upstreamNames) }
        fields.read(Binding.settings, into: &binding.settings)
        readOwn()
        fields.say("body", \.body, in: &binding.settings) { [context, types] in BodyReader.read($0, context, types) }
        readParameters(groups)
        readValue()
        readPages()
        readRows()
        readKeep()
        readFixtures()
    }

    /// Reads the keys that override the upstream's, or that only a binding has.
    private mutating func readOwn() {
        let context = context
        let own = fields
        own.say("keys", \.keys, in: &binding.settings) { context.choice($0) }
        own.say("follow", \.follow, in: &binding.settings) { context.choice($0) }
        own.say("rate", part: \.rate, in: &binding.settings)
        own.say("concurrency", part: \.concurrency, in: &binding.settings)
        own.say("headers", part: \.headers, in: &binding.settings)
        own.say("timeout", part: \.timeout, in: &binding.settings)
        own.say("error", part: \.errors, in: &binding.settings)
        let upstream = binding.target?.upstream ?? ""
        own.say("bearer", \.sendsBearer, in: &binding.settings) { Self.sendsBearer($0, context, upstream) }
        own.say("credential", part: \.credential, in: &binding.settings)
        own.say("graphql", \.graphQL, in: &binding.settings) { GraphQLSection.read($0, context) }
        own.say("local-urls", \.localURLs, in: &binding.settings) { node in
            context.all(node) { context.fieldPath($0) }
        }
        own.say("then", \.then, in: &binding.settings) { ThenSection.read($0, context) }
        own.say("upgrade", \.upgrade, in: &binding.settings) { context.choice($0) }
    }

    private static func sendsBearer(_ node: SourceNode, _ context: ReadingContext, _ upstream: String) -> Bool? {
        guard node.entries == nil else {
            context.findings.mistake(
                at: node.place, "a binding has no bearer of its own", expected: "true or false",
                suggestion: .advice("give the token to the upstream '\(upstream)'"))
            return nil
        }
        return context.flag(node)
    }
}
