import SluiceContract
import SluiceRules

extension Explain {
    static func binding(_ binding: Binding, upstreamHasBearer: Bool, _ writer: inout YAMLWriter) {
        writer.mapping(binding.name) { writer in
            let method = binding.upstreamMethod.map { "\($0) " } ?? ""
            if let composition = binding.composition {
                composition.write(&writer)
            } else {
                writer.key("to", "\(binding.upstream) \(method)\(binding.upstreamPath)")
            }
            writer.mapping("params", mayVanish: true) { writer in
                for parameter in binding.parameters {
                    writer.raw(
                        parameter.name, writer.leavesUsual ? brief(parameter, binding) : self.parameter(parameter))
                }
            }
            body(binding, &writer)
            binding.graphQL?.write("graphql", &writer)
            value(binding, &writer)
            binding.rows?.write("rows", &writer)
            binding.pages?.write("pages", &writer)
            if !binding.localURLs.isEmpty { writer.list("local-urls", binding.localURLs.map(\.description)) }
            if upstreamHasBearer && !writer.leavesUsual || !binding.sendsBearer {
                writer.raw("bearer", String(binding.sendsBearer))
            }
            if let keep = binding.keep {
                let paths = [("bearer", keep.bearer)] + (keep.expires.map { [("expires", $0)] } ?? [])
                let texts = paths.map { "\($0): \(YAMLWriter.scalar($1.description))" }
                writer.raw("keep", "{\(texts.joined(separator: ", "))}")
            }
            binding.then?.write("then", &writer)
            binding.credential?.write("credential", &writer)
            if !writer.leavesUsual && binding.composition == nil || binding.keys != .verbatim {
                writer.key("keys", binding.keys.rawValue)
            }
            binding.timeout?.write("timeout", &writer)
            if binding.error != nil { binding.errors.write("error", &writer) }
            if let follow = binding.follow, binding.composition == nil { writer.key("follow", follow.rawValue) }
            HeadersSection.write(binding.headers, "headers", &writer)
            if let upgrade = binding.upgrade { writer.key("upgrade", upgrade.rawValue) }
            binding.fixture?.write("fixture", &writer)
            if !binding.fixtures.isEmpty {
                writer.mapping("fixtures") { writer in
                    for named in binding.fixtures { named.fixture.write(named.name, &writer) }
                }
            }
            limits(binding.rate, binding.concurrency, &writer)
            let isTyped = binding.value != nil || !binding.valueByStatus.isEmpty
            var left = Set(binding.composition == nil ? [] : Composition.foreignKeys)
            if !isTyped { left.formUnion(["early", "report", "compress", "drift", "on-drift"]) }
            if !isTyped, !binding.takesContent { left.insert("hold") }
            if !binding.serve.contains(.loading) { left.insert("patience") }
            writer.settings(of: binding, except: left)
        }
    }

    private static func body(_ binding: Binding, _ writer: inout YAMLWriter) {
        switch binding.body {
        case .passThrough: break
        case .none: writer.key("body", "none")
        case .json(.scalar(.json)): writer.key("body", "json")
        case .json(let type): writer.raw("body", block(type))
        case .form(let object): writer.raw("body", "{form: \(flow(.object(object)))}")
        case .text(let charset):
            writer.raw("body", charset.map { "{text: \(YAMLWriter.scalar($0))}" } ?? "text")
        case .raw(let mediaType):
            writer.raw("body", mediaType.map { "{raw: \(YAMLWriter.scalar($0))}" } ?? "raw")
        case .multipart: writer.key("body", "multipart")
        }
        let isUsual = writer.leavesUsual && binding.wrap == binding.parent?.keys ?? []
        if binding.sendsJSONBody, binding.graphQL == nil, binding.composition == nil, !isUsual {
            writer.raw("wrap", binding.wrap.isEmpty ? "false" : YAMLWriter.scalar(path(binding.wrap)))
        }
    }

    private static func path(_ keys: [String]) -> String {
        FieldPath(components: keys.map { .key($0) }).description
    }

    private static func value(_ binding: Binding, _ writer: inout YAMLWriter) {
        if let parent = binding.parent { writer.key("parent", parent.description) }
        if !binding.valueByStatus.isEmpty {
            writer.mapping("value") { writer in
                if let value = binding.value { writer.raw("default", block(value)) }
                for (status, type) in binding.valueByStatus.sorted(by: { $0.key < $1.key }) {
                    writer.raw(String(status), block(type))
                }
            }
        } else if let value = binding.value {
            writer.raw("value", block(value))
        }
        if let text = binding.defaultJSON { writer.raw("default", text) }
    }

    /// `Int = 10`, where everything else about the parameter is the default.
    private static func brief(_ parameter: Parameter, _ binding: Binding) -> String {
        let isInPath = binding.path.placeholders.contains(parameter.name)
        let usual = Parameter(
            name: parameter.name, location: isInPath ? .path : .query, type: parameter.type,
            defaultJSON: parameter.defaultJSON)
        guard parameter == usual, !parameter.type.hasObject, !parameter.isSensitive,
            ["GET", "HEAD", "DELETE"].contains(binding.methods.first) || isInPath
        else { return self.parameter(parameter) }
        return block(parameter.type) + (parameter.defaultJSON.map { " = \($0)" } ?? "")
    }

    private static func parameter(_ parameter: Parameter) -> String {
        var type = parameter.type
        var members: [String] = []
        if case .optional(let wrapped) = type, wrapped.hasObject {
            type = wrapped
            members.append("optional: true")
        }
        members.insert("type: \(flow(type))", at: 0)
        members.append("in: \(parameter.location.rawValue)")
        if let name = parameter.upstreamName { members.append("as: \(YAMLWriter.scalar(name))") }
        if let text = parameter.defaultJSON {
            let shown = parameter.isSensitive && text != "null" ? redacted : text
            members.append("\(parameter.isFixed ? "fixed" : "default"): \(shown)")
        }
        if let example = parameter.exampleJSON {
            members.append("example: \(parameter.isSensitive ? redacted : example)")
        }
        if let source = parameter.source { members.append("fixed: \(Explain.source(source))") }
        if parameter.style != .repeated { members.append("style: \(parameter.style.rawValue)") }
        if parameter.null != .omit { members.append("null: \(parameter.null.rawValue)") }
        return "{\(members.joined(separator: ", "))}"
    }
}

extension Binding {
    /// Whether the gateway writes a JSON body that keys can be wrapped around.
    fileprivate var sendsJSONBody: Bool {
        if case .json = body { return true }
        return parameters.contains { $0.location == .body && (!$0.isFixed || body == .passThrough) }
    }
}
