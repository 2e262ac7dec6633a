public import SluiceClient
public import SluiceContract
internal import SluiceConfig
internal import SluiceRules

/// A gateway made of a program's own bindings: the same properties that a client asks through are what it serves.
///
/// ```swift
/// try await Gateway(FruitStand(), upstream: "https://fruit.example/v1", bearer: .environment("FRUIT_TOKEN"))
///     .serve(on: .tcp(port: 8080))
/// ```
///
/// The types of values are read off their `Decodable` conformance. What is declared goes through the same rules as a
/// page of YAML, and what is wrong is told by the property.
public struct Gateway: Sendable {
    /// Bindings in front of one API.
    private struct Part {
        var upstream: String
        var url: String
        var bearer: GatewayBearer?
        var keep: String?
        var coding: JSONCoding
        var bindings: any Bindings
    }

    /// What all parts declare: their types are asked once, when they are added.
    private var declared = Declared()
    private var changes: [Change] = []

    private enum Change: Sendable {
        case whole(@Sendable (inout Configuration) -> Void)
        case property(String, @Sendable (inout Binding) -> Void)
    }

    /// A gateway in front of one API.
    ///
    /// - Parameters:
    ///   - bindings: What it serves: GET and POST of each property, unless the property says its `methods:`.
    ///   - upstream: The API: `https://host[:port][/base]`, `http://…` or `unix:/path[:/base]`.
    ///   - bearer: What is shown to the API.
    ///   - keep: Where the answer to a POST of a property with `bearer: false` has the token that is shown from then
    ///     on; nil where such an answer has none.
    ///   - coding: How the API writes names and dates.
    public init(
        _ bindings: some Bindings, upstream: String, bearer: GatewayBearer? = nil, keep: String? = "token",
        coding: JSONCoding = JSONCoding()
    ) {
        self = adding(bindings, upstream: upstream, bearer: bearer, keep: keep, coding: coding)
    }

    private init() {}

    /// The same gateway in front of one more API.
    public func adding(
        _ bindings: some Bindings, upstream: String, bearer: GatewayBearer? = nil, keep: String? = "token",
        coding: JSONCoding = JSONCoding()
    ) -> Gateway {
        var copy = self
        let name = Self.name(of: bindings, beside: declared.upstreams)
        let part = Part(upstream: name, url: upstream, bearer: bearer, keep: keep, coding: coding, bindings: bindings)
        let probe = TypeProbe(coding, taken: declared.declaration.types.map(\.name))
        Self.add(part, probe, to: &copy.declared)
        copy.declared.upstreams.append(name)
        copy.declared.declaration.types += probe.definitions.map {
            ConfigurationDeclaration.TypeDeclaration($0.name, $0.type)
        }
        return copy
    }

    /// The same gateway with other settings: whatever a page of YAML can say, as values.
    ///
    /// ```swift
    /// gateway.configured { $0.limits.bodyBytes = 1 << 20 }
    /// ```
    public func configured(_ change: @escaping @Sendable (inout Configuration) -> Void) -> Gateway {
        var copy = self
        copy.changes.append(.whole(change))
        return copy
    }

    /// The same gateway with other settings of each binding of a property, by its name: `fruits`.
    ///
    /// ```swift
    /// gateway.configured("fruits") { $0.reportCount = 1 }
    /// ```
    public func configured(
        _ property: String, _ change: @escaping @Sendable (inout Binding) -> Void
    ) -> Gateway {
        var copy = self
        copy.changes.append(.property(property, change))
        return copy
    }

    /// What it serves, with every default, as the daemon would have read it from a page.
    /// - Throws: ``GatewayError/mistakes(_:)``, all of them at once.
    public func configuration() throws(GatewayError) -> Configuration {
        try served().configuration
    }

    /// The configuration, and what is odd in it.
    func served() throws(GatewayError) -> (configuration: Configuration, warnings: [GatewayMistake]) {
        let (configuration, findings) = checked()
        let mistakes = findings.filter(\.isMistake).map(\.text)
        guard mistakes.isEmpty else { throw .mistakes(mistakes) }
        return (configuration, findings.map(\.text))
    }

    /// What is probably not meant as it is declared, though it can be served.
    public var warnings: [GatewayMistake] { checked().findings.filter { !$0.isMistake }.map(\.text) }

    /// The same gateway as a page of YAML for the daemon. Secrets that the program has as values are left out.
    /// - Throws: ``GatewayError/mistakes(_:)``.
    public func yaml() throws(GatewayError) -> String {
        Explain.page(try configuration())
    }

    // MARK: - From properties to a configuration

    /// A finding with the property that it is about.
    private struct Told {
        var text: GatewayMistake
        var isMistake: Bool
    }

    /// What the properties declare.
    private struct Declared: Sendable {
        var declaration = ConfigurationDeclaration()
        var upstreams: [String] = []
        /// Properties by their bindings.
        var properties: [String: String] = [:]
        var mistakes: [GatewayMistake] = []
        var warnings: [GatewayMistake] = []
    }

    private static func add(_ part: Part, _ probe: TypeProbe, to all: inout Declared) {
        let program = "\(type(of: part.bindings))"
        // The name is known even where the URL cannot be read: its properties are not mistakes as well.
        var upstream = UpstreamDeclaration(part.upstream, [nil])
        if let bearer = part.bearer { upstream.settings.say("bearer", \.bearer, bearer.source) }
        do throws(OriginText.Malformed) {
            upstream.endpoints = [try OriginText.read(part.url)]
        } catch {
            let hint = Suggestion.hint(expected: error.expected, error.suggestion).map { "; \($0)" } ?? ""
            all.mistakes.append(GatewayMistake(text: "upstream '\(part.url)': \(error.message)\(hint)"))
            all.declaration.isWhole = false
        }
        all.declaration.upstreams.append(upstream)
        var keep: FieldPath?
        if let text = part.keep {
            keep = FieldPath(text)
            if keep == nil { all.mistakes.append(GatewayMistake(text: "keep '\(text)' is no path in a document")) }
        }
        tellUnaskedPosts(of: part, program, &all)
        let reader = PropertyReader(upstream: part.upstream, coding: part.coding, keep: keep, probe: probe)
        for (name, property) in part.bindings.boundProperties {
            let served = reader.read("\(program).\(name)", property)
            all.mistakes += served.mistakes
            for binding in served.bindings {
                if let first = all.properties[binding.name] {
                    all.mistakes.append(
                        GatewayMistake(
                            property: served.name,
                            text: "\(binding.name) is \(first) already: let one of them say other 'methods:', or"
                                + " another path"))
                    continue
                }
                all.properties[binding.name] = served.name
                all.declaration.bindings.append(binding)
            }
        }
    }

    /// A program that only reads is not to open its credential to everybody's POST unawares.
    private static func tellUnaskedPosts(of part: Part, _ program: String, _ all: inout Declared) {
        let names = part.bindings.boundProperties.filter { $0.property.declaration.isPostUnasked }.map(\.name)
        guard part.bearer != nil, !names.isEmpty else { return }
        all.warnings.append(
            GatewayMistake(
                text:
                    "POST is served as well, with the API's bearer, for \(names.joined(separator: ", ")) of \(program),"
                    + " which say no 'methods:'; say methods: [.get] where it is not meant, else [.get, .post]"))
    }

    private func checked() -> (configuration: Configuration, findings: [Told]) {
        let first = declared.declaration.checked()
        var told = declared.mistakes.map { Told(text: $0, isMistake: true) }
        told += declared.warnings.map { Told(text: $0, isMistake: false) }
        var (configuration, findings) = (first.configuration, first.findings)
        if first.mistakes.isEmpty, declared.mistakes.isEmpty, !changes.isEmpty {
            for change in changes {
                if let mistake = apply(change, to: &configuration) {
                    told.append(Told(text: mistake, isMistake: true))
                }
            }
            findings = configuration.findings
        }
        told += findings.map { finding in
            Told(text: Self.text(of: finding, declared.properties), isMistake: finding.severity == .mistake)
        }
        return (configuration, told)
    }

    /// - Returns: what is wrong with the change itself.
    private func apply(
        _ change: Change, to configuration: inout Configuration
    ) -> GatewayMistake? {
        switch change {
        case .whole(let change): change(&configuration)
        case .property(let property, let change):
            let names = Set(declared.properties.filter { $0.value.hasSuffix(".\(property)") }.keys)
            if names.isEmpty { return GatewayMistake(text: "there is no bound property '\(property)' to configure") }
            for index in configuration.bindings.indices where names.contains(configuration.bindings[index].name) {
                change(&configuration.bindings[index])
            }
        }
        return nil
    }

    /// The property, and the place within its binding: `FruitStand.fruits: params.limit: …`.
    private static func text(of finding: Finding, _ properties: [String: String]) -> GatewayMistake {
        let segments = finding.path.segments
        guard segments.count > 1, segments[0] == .key("bindings"), case .key(let binding) = segments[1],
            let property = properties[binding]
        else { return GatewayMistake(text: finding.description) }
        var rest = finding
        rest.path = ConfigurationPath([.key(binding)] + segments.dropFirst(2))
        return GatewayMistake(property: property, text: rest.description)
    }

    /// `FruitStand` is the upstream `fruit-stand`.
    private static func name(of bindings: some Bindings, beside names: [String]) -> String {
        let type = "\(type(of: bindings))".prefix { $0 != "<" }
        var name = ""
        for letter in type where letter.isASCII && (letter.isLetter || letter.isNumber) {
            if letter.isUppercase, !name.isEmpty { name += "-" }
            name += letter.lowercased()
        }
        if name.isEmpty { name = "upstream" }
        guard names.contains(name) else { return name }
        var number = 2
        while names.contains("\(name)-\(number)") { number += 1 }
        return "\(name)-\(number)"
    }
}
