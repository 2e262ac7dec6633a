import SluiceContract
import SluiceRules

/// The top level of the file, from which all other sections are reached.
enum RootSection {
    static let section = Section(
        name: "configuration", summary: "The whole file",
        keys: [
            .init("listen", ListenSection.shape, default: "127.0.0.1:8080", "Where clients are accepted"),
            .init(
                "upstreams", .names(pattern: Name.pattern, .section(UpstreamSection.section)), default: "{}",
                "The APIs that bindings point to, by name"),
            .init("types", .names(pattern: Name.typePattern, .type), default: "{}", "Types of your own, by name"),
            .init(
                "bindings", .names(pattern: BindingKey.pattern, .section(BindingSection.section)), default: "{}",
                "Local routes: a method, a space and a path as the key"),
            .init(
                "groups",
                .names(pattern: ParameterGroups.pattern, .names(pattern: nil, .field(ParameterSection.section))),
                default: "{}",
                "Parameters that bindings share: those that 'use:' a group's name, or whose path begins with it"),
            .init(
                "include", .oneOrMany(.text()),
                "Further pages below the folder of this one: files, folders or names such as bindings/*.yaml"),
            .init(
                "defaults", .section(DefaultsSection.section), default: "{}",
                "Settings for all upstreams and bindings that say nothing else"),
            Configuration.key("hosts"),
            .init(
                "clients", .names(pattern: Name.pattern, .section(ClientsSection.section)), default: "{}",
                "Local programs that are known by their API keys, by name"),
            Configuration.key("client-rate"),
            .init(
                "credentials", .names(pattern: Name.pattern, .section(CredentialsSection.section)), default: "{}",
                "What the gateway shows to upstreams in the place of its clients, by name"),
            .init(
                "state-key", .text(),
                "File with the key that they are sealed with: 32 bytes, or 64 hexadecimal digits"),
            .init(
                "state", .text(), default: "$STATE_DIRECTORY, or sluice in $XDG_STATE_HOME",
                "The folder where tokens are kept that were signed in for"),
            Configuration.key("loops"),
            Configuration.key("cache"),
            .init(
                "admin", AdminSection.shape, default: AdminSection.off,
                "The Unix socket on which 'sluice cache' and 'sluice reload' ask the daemon, by its path; off is none; "
                    + "a mapping also names an address for metrics and health"),
            Configuration.key("limits"),
            Configuration.key("drain"),
            Configuration.key("log"),
            Configuration.key("metrics"),
            Configuration.key("inspect"),
            Configuration.key("trace"),
            Configuration.key("envelope"),
        ], takesExtensions: true)

    static func read(_ node: SourceNode, _ context: ReadingContext) -> ConfigurationDeclaration {
        var declaration = ConfigurationDeclaration()
        // Of a page that could not be included, bindings are missing.
        let isMerged = context.findings.mistakes.isEmpty
        Fields.read(node, section, context) { fields in
            // The included pages have been merged already (``IncludedPages``).
            if let node = fields.node("include") {
                _ = context.all(node) { context.text($0, what: "a file or a folder") }
            }
            declaration.clients = ClientsSection.read(fields.node("clients"), context)
            if let node = fields.node("listen") { declaration.listeners = ListenSection.read(node, context) }
            declaration.credentials = CredentialsSection.read(fields.node("credentials"), context)
            if let node = fields.node("state") {
                declaration.state = context.text(node, what: "a folder").map(context.beside)
            }
            if let node = fields.node("state-key") {
                declaration.stateKey = stateKey(node, context)
            }
            if let node = fields.node("admin") { AdminSection.read(node, context, into: &declaration) }
            declaration.settings = fields.layer()
            let types = TypeTable(fields.node("types"), context)
            declaration.types = types.declarations
            if let node = fields.node("defaults") { DefaultsSection.read(node, context, into: &declaration) }
            declaration.upstreams = UpstreamSection.read(fields.node("upstreams"), context)
            let groups = ParameterGroups(fields.node("groups"), types)
            declaration.bindings = BindingSection.read(
                fields.node("bindings"), context, declaration.upstreams.map(\.name), types, groups)
            declaration.hasAllBindings = isMerged && hasAll(declaration.bindings, of: node, fields)
            groups.warnOfUnused()
        }
        declaration.isWhole = context.findings.mistakes.isEmpty
        return declaration
    }

    /// Whether no binding is lost by a mistake around it: a key that is misspelt, cannot be read or stands twice.
    private static func hasAll(_ bindings: [BindingDeclaration], of root: SourceNode, _ fields: Fields) -> Bool {
        for key in ["bindings", "include"] {
            let places = (root.entries ?? []).filter { $0.key.text == key }
            if fields.isMisspelt(key) || places.count > 1 { return false }
        }
        return (fields.node("bindings")?.entries ?? []).count == bindings.count
    }

    private static func stateKey(_ node: SourceNode, _ context: ReadingContext) -> KeyFile? {
        guard let path = context.file(node, isSecret: true) else { return nil }
        // Secrets are ignored, or the file cannot be read, which has been reported already.
        if context.reader.secrets != .ignored, case .success(let bytes) = context.reader.surroundings.contents(path),
            StateKey.read(bytes) == nil
        {
            context.findings.mistake(at: node.place, "file '\(path)' holds no key", expected: StateKey.wanted)
            return nil
        }
        return KeyFile(path: path)
    }
}
