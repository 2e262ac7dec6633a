import SluiceContract

/// The whole file: the list of everything that can be configured.
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
                "defaults", .section(DefaultsSection.section), default: "{}",
                "Settings for all upstreams and bindings that say nothing else"),
            .init("hosts", HostsSection.shape, default: "[]", "Names that the Host field may hold, or any"),
            .init(
                "clients", .names(pattern: Name.pattern, .section(ClientsSection.section)), default: "{}",
                "Local programs that are known by their API keys, by name"),
            .init(
                "client-rate", RateNotation.shape,
                "Rate of each client by itself: by its name, else its Unix user or address; such as 100/s burst 20"),
            .init(
                "loops", .integer(1...1024), default: "the cores that the process may run on",
                "Number of event loops"),
            .init(
                "cache", .section(StoreSection.section), default: "{}",
                "Where stored answers are kept, for all bindings with a cache"),
            .init(
                "admin", .text(), default: AdminSection.off,
                "The Unix socket on which 'sluice cache' and 'sluice reload' ask the daemon, by its path; off is none"),
            .init("limits", .section(LimitsSection.section), default: "{}", "Every limit of the edge"),
            .init(
                "drain", .duration, default: Quantity.text(Configuration().drain),
                "How long a stopping daemon waits for what is in flight"),
            .init("log", .section(LogSection.section), default: "{}", "The log and the access log"),
            .init("envelope", EnvelopeSection.shape, default: "problem", "The shape of an error answer"),
        ], takesExtensions: true)

    static func read(_ node: SourceNode, _ desk: Desk, into configuration: inout Configuration) {
        Fields.read(node, section, desk) { fields in
            configuration.clients = ClientsSection.read(fields.node("clients"), desk)
            fields.set("client-rate", &configuration.clientRate) { RateNotation.read($0, desk) }
            var desk = desk
            desk.clientNames = configuration.clients.map(\.name)
            // Where it is wrong, there is none: nobody is to be looked for at the usual address then.
            if let node = fields.node("listen") { configuration.listen = ListenSection.read(node, desk) ?? [] }
            fields.set("hosts", &configuration.hosts) { HostsSection.read($0, desk) }
            fields.set("loops", &configuration.loops) { desk.integer($0, in: 1...1024) }
            fields.set("drain", &configuration.drain, desk.duration)
            if let node = fields.node("admin"), let path = AdminSection.read(node, desk) {
                configuration.admin = path
                if let path, configuration.listen.contains(where: { $0.address == .unix(path: path) }) {
                    desk.findings.mistake(
                        at: node.place, "'\(path)' is listened on under 'listen:' already", expected: "another path")
                }
            }
            fields.set("envelope", &configuration.envelope) { EnvelopeSection.read($0, desk) }
            if let node = fields.node("limits") { LimitsSection.read(node, desk, into: &configuration.limits) }
            if let node = fields.node("cache") { StoreSection.read(node, desk, into: &configuration.cache) }
            if let node = fields.node("log") { LogSection.read(node, desk, into: &configuration.log) }
            let types = TypeTable(fields.node("types"), desk)
            let defaults = DefaultsSection.read(fields.node("defaults"), desk)
            let upstreams = UpstreamSection.Readings(
                UpstreamSection.read(fields.node("upstreams"), desk, defaults))
            configuration.upstreams = upstreams.list.map(\.upstream)
            configuration.bindings = BindingSection.read(fields.node("bindings"), desk, upstreams, types)
            configuration.types = types.definitions
            types.finish()
            GrantsSection.checkSubjects(configuration, at: fields.keyPlace("bindings"), desk)
            if configuration.bindings.isEmpty, desk.findings.mistakes.isEmpty {
                desk.findings.warning(
                    at: fields.keyPlace("bindings"), "nothing is bound", suggestion: .advice("add 'bindings:'"))
            }
        }
    }
}

/// Names that an author chooses.
enum Name {
    /// Upstreams: they stand in front of a space in `to:`.
    static let pattern = "^[A-Za-z0-9_.-]+$"
    /// Types begin with a capital.
    static let typePattern = "^[A-Z][A-Za-z0-9_.]*$"

    static func isUpstream(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { $0.isLetter || $0.isDigit || "_.-".utf8.contains($0) }
    }

    static func isType(_ name: String) -> Bool {
        guard let first = name.utf8.first, first.isLetter, first < UInt8(ascii: "a") else { return false }
        return name.utf8.allSatisfy { $0.isLetter || $0.isDigit || "_.".utf8.contains($0) }
    }

    /// RFC 9110 §5.6.2 `token`: field names, cookie names, methods.
    static func isToken(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { $0.isLetter || $0.isDigit || "!#$%&'*+-.^_`|~".utf8.contains($0) }
    }
}

extension UInt8 {
    var isLetter: Bool { (0x41...0x5a).contains(self) || (0x61...0x7a).contains(self) }
    var isDigit: Bool { (0x30...0x39).contains(self) }
    var isHexDigit: Bool { isDigit || (0x41...0x46).contains(self) || (0x61...0x66).contains(self) }
}
