internal import SluiceContract
internal import SluiceJSON

/// All bindings, as `sluice routes` shows them.
struct RouteListing {
    private let configuration: SluiceContract.Configuration
    private let upstreams: [String: Upstream]
    /// Upstreams whose token some binding keeps.
    private let keepers: Set<String>

    init(_ configuration: SluiceContract.Configuration) {
        self.configuration = configuration
        upstreams = Dictionary(configuration.upstreams.map { ($0.name, $0) }) { first, _ in first }
        keepers = Set(configuration.bindings.lazy.filter { $0.keep != nil }.map(\.upstream))
    }

    // MARK: - Text

    /// A binding's row.
    private struct Row {
        var methods: String
        var path: String
        var upstream: String
        var value: String
        var notes: String
        var details: [String]

        var cells: [String] { [methods, path, "→", upstream, value, notes] }
    }

    /// A row for each binding with its parameters below, and the upstreams at the end. Where the rows are too wide,
    /// each is broken into lines.
    /// - Parameter width: columns that no line exceeds, as far as single words fit in; nil where lines may be of any
    ///   length.
    func text(width: Int?) -> String {
        let rows = configuration.bindings.map { binding in
            Row(
                methods: Self.methods(binding), path: binding.path.description,
                upstream: upstreamCell(binding),
                value: Self.value(binding), notes: notes(binding).joined(separator: ", "), details: details(binding))
        }
        var lines = Self.table(rows, width: width) ?? Self.list(rows, width: width)
        lines.append("")
        let nameWidth = configuration.upstreams.map(\.name.count).max() ?? 0
        for upstream in configuration.upstreams {
            lines.append("\(Self.padded(upstream.name, nameWidth)) = \(upstream.url)")
        }
        return lines.joined(separator: "\n")
    }

    /// Nil where a row is wider than `width`.
    private static func table(_ rows: [Row], width: Int?) -> [String]? {
        let header = ["METHOD", "PATH", "", "UPSTREAM", "VALUE", "NOTES"]
        var columns = header.map(\.count)
        for row in rows { columns = zip(columns, row.cells).map { max($0, $1.count) } }
        let heads = rows.map { line($0.cells, columns) }
        if let width, heads.contains(where: { $0.count > width }) { return nil }
        var lines = [Style.output.bold(line(header, columns))]
        for (row, head) in zip(rows, heads) {
            lines.append(head)
            lines += wrapped(row.details, between: ", ", indent: columns[0] + 4, width: width)
        }
        return lines
    }

    private static func list(_ rows: [Row], width: Int?) -> [String] {
        rows.flatMap { row in
            let head = [row.methods, row.path, "→ \(row.upstream)"]
            let value = [row.value, row.notes].filter { !$0.isEmpty }.joined(separator: "; ")
            return wrapped(head, between: " ", indent: 0, hanging: 4, width: width)
                + wrapped([value], between: "", indent: 4, width: width)
                + wrapped(row.details, between: ", ", indent: 8, width: width)
        }
    }

    private static func line(_ cells: [String], _ columns: [Int]) -> String {
        let text = zip(cells, columns).map { padded($0, $1) }.joined(separator: " ")
        return String(text.reversed().drop { $0 == " " }.reversed())
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// - Parameter hanging: how much further lines after the first are indented.
    private static func wrapped(
        _ words: [String], between: String, indent: Int, hanging: Int = 0, width: Int?
    ) -> [String] {
        var lines: [String] = []
        for word in words {
            if let last = lines.last, width.map({ last.count + between.count + word.count <= $0 }) ?? true {
                lines[lines.count - 1] += between + word
            } else {
                lines.append(String(repeating: " ", count: indent + (lines.isEmpty ? 0 : hanging)) + word)
            }
        }
        return lines
    }

    private func details(_ binding: Binding) -> [String] {
        var details = binding.parameters.map { parameter in
            var text = "\(parameter.name): \(parameter.type)"
            if let value = Self.shownDefault(parameter) { text += " = \(value)" }
            return text + " (\(parameter.isFixed ? "fixed" : parameter.location.rawValue))"
        }
        details += (binding.composition?.parts ?? []).map { "\($0.name): \($0)" }
        if !binding.parameters.contains(where: { $0.location == .body }), let body = Self.body(binding) {
            details.append("body: \(body)")
        }
        return details
    }

    // MARK: - JSON

    var json: String {
        let bindings = configuration.bindings.map { binding -> JSONValue in
            var members: [(String, JSONValue)] = [
                ("methods", .array((binding.methods.isEmpty ? ["ANY"] : binding.methods).map { .string($0) })),
                ("path", .string(binding.path.description)),
                (
                    "upstream",
                    .object([
                        ("name", .string(binding.upstream)), ("method", .string(upstreamMethod(binding))),
                        ("path", .string(upstreamPath(binding))),
                    ])
                ),
                ("parameters", .array(binding.parameters.map(Self.json))),
            ]
            members.append(("body", Self.body(binding).map { .string($0) } ?? .null))
            members.append(("value", binding.value.map { .string("\($0)") } ?? .null))
            let path = binding.valuePath
            members.append(("parent", path.components.isEmpty ? .null : .string("\(path)")))
            members.append(("bearer", .bool(!credential(binding).names.isEmpty)))
            members.append(("credential", credential(binding).names.first.map { .string($0) } ?? .null))
            members.append(("cache", .bool(binding.cache != nil)))
            if let parts = binding.composition?.parts {
                members.append(
                    (
                        "parts",
                        .array(
                            parts.map { .object([("name", .string($0.name)), ("from", .string($0.description))]) })
                    ))
            }
            return .object(members)
        }
        let upstreams = configuration.upstreams.map { upstream in
            JSONValue.object([("name", .string(upstream.name)), ("url", .string(upstream.url))])
        }
        return JSONValue.object([("bindings", .array(bindings)), ("upstreams", .array(upstreams))]).text
    }

    private static func json(_ parameter: Parameter) -> JSONValue {
        .object([
            ("name", .string(parameter.name)), ("in", .string(parameter.location.rawValue)),
            ("type", .string("\(parameter.type)")),
            ("default", shownDefault(parameter).map { .verbatim($0) } ?? .null), ("fixed", .bool(parameter.isFixed)),
        ])
    }

    /// Possible credentials are not shown.
    private static func shownDefault(_ parameter: Parameter) -> String? {
        if parameter.source != nil { return JSONText.quote("***") }
        return parameter.defaultJSON.map { parameter.isSensitive && $0 != "null" ? JSONText.quote("***") : $0 }
    }

    // MARK: - Parts of a binding

    private static func methods(_ binding: Binding) -> String {
        binding.methods.isEmpty ? "ANY" : binding.methods.joined(separator: "|")
    }

    private func upstreamMethod(_ binding: Binding) -> String {
        binding.upstreamMethod ?? Self.methods(binding)
    }

    private func upstreamPath(_ binding: Binding) -> String {
        let base = upstream(binding)?.basePath ?? ""
        let path = binding.upstreamPath.description
        return path == "/" && !base.isEmpty ? base : base + path
    }

    private func upstreamCell(_ binding: Binding) -> String {
        guard let composition = binding.composition else {
            return "\(binding.upstream) \(upstreamMethod(binding)) \(upstreamPath(binding))"
        }
        return "parts \(composition.parts.map(\.name).joined(separator: ", "))"
    }

    private func upstream(_ binding: Binding) -> Upstream? {
        upstreams[binding.upstream]
    }

    private static func value(_ binding: Binding) -> String {
        binding.value.map { "\($0)" } ?? (binding.valueByStatus.isEmpty ? "as it comes" : "by status")
    }

    private static func body(_ binding: Binding) -> String? {
        switch binding.body {
        case .passThrough: nil
        case .none: "none"
        case .json(let type): "\(type)"
        case .form: "form"
        case .text(let charset): charset.map { "text in \($0)" } ?? "text"
        case .raw(let mediaType): mediaType ?? "raw"
        case .multipart: "multipart"
        }
    }

    /// The credential of its requests. A token taken from an answer counts as a bearer of the upstream.
    private func credential(_ binding: Binding) -> CredentialChoice {
        upstream(binding)?.credential(of: binding, keepers) ?? .none
    }

    private func credentialNote(_ binding: Binding) -> String? {
        let names = credential(binding).names
        if names.isEmpty { return nil }
        return names.contains { $0.contains(" ") } ? "bearer" : "credential " + names.joined(separator: ", ")
    }

    private func notes(_ binding: Binding) -> [String] {
        var notes: [String] = []
        if let note = credentialNote(binding) { notes.append(note) }
        if binding.keep != nil { notes.append("keeps bearer") }
        if binding.cache != nil { notes.append("cached") }
        if binding.graphQL != nil { notes.append("GraphQL") }
        if binding.pages != nil { notes.append("all pages") }
        if binding.idempotencyKey != nil { notes.append("keyed") }
        return notes
    }
}
