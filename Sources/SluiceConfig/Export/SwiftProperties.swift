internal import SluiceContract
internal import SluiceRules

/// The bindings of one upstream as bound properties.
final class SwiftProperties {
    private let upstream: Upstream
    private let types: SwiftTypes
    private var names: Set<String> = []

    init(_ upstream: Upstream, _ types: SwiftTypes) {
        self.upstream = upstream
        self.types = types
    }

    /// One property; several bindings of the same path may share it.
    private struct Property {
        var path: PathTemplate
        var methods: [String]
        var type: TypeExpression
        var parent: [String]
        var parameters: [Parameter]
        var binding: Binding
    }

    func write(_ bindings: [Binding], in text: inout SwiftText) {
        var properties: [Property] = []
        var others: [String] = []
        for binding in bindings {
            switch Self.reading(binding) {
            case .success(let property): Self.add(property, to: &properties)
            case .failure(let reason): others.append("\(binding.name): \(reason.text)")
            }
        }
        if bindings.isEmpty { return }
        let isComposed = upstream.name == Composition.upstreamName
        let name = types.reserve(["\(isComposed ? "Composed" : SwiftName.type(upstream.name))Bindings"])
        let source = isComposed ? "makes of answers of other bindings" : "has of '\(upstream.name)'"
        text.gap()
        text.line("/// What the gateway \(source). It takes values out of their parents itself: clients are")
        text.line("/// `GatewayClient(…).with(parents: .gateway)`.")
        text.block("struct \(name): Bindings") { text in
            for property in properties { write(property, in: &text) }
            for other in others {
                if other == others.first { text.gap() }
                text.line("// " + other.map { $0.isNewline ? " " : $0 })
            }
        }
    }

    // MARK: - What a property can say

    private struct Unsaid: Error {
        var text: String

        init(_ text: String) {
            self.text = text
        }
    }

    private static func reading(_ binding: Binding) -> Result<Property, Unsaid> {
        do throws(Unsaid) {
            return .success(try property(binding))
        } catch {
            return .failure(error)
        }
    }

    private static func property(_ binding: Binding) throws(Unsaid) -> Property {
        guard !binding.methods.isEmpty, !binding.path.hasRest else { throw Unsaid("passes whatever is below it") }
        let usual = ["GET", "POST", "PUT", "PATCH", "DELETE"]
        if let method = binding.methods.first(where: { !usual.contains($0) }) {
            throw Unsaid("\(method) has no call of its own")
        }
        if binding.upgrade != nil { throw Unsaid("changes the protocol") }
        if let parameter = binding.parameters.first(where: { ![.path, .query].contains($0.location) && !$0.isFixed }) {
            throw Unsaid("'\(parameter.name)' stands in the \(parameter.location.rawValue): make it a typed request")
        }
        // In a composed answer, only the gateway needs to know where the value is.
        let place = binding.composition == nil ? binding.parent : nil
        guard let parent = place.map({ $0.keys }) ?? [] else {
            throw Unsaid("a property has no path with stars")
        }
        return Property(
            path: binding.path, methods: binding.methods, type: try type(binding), parent: parent,
            parameters: binding.parameters.filter { !$0.isFixed }, binding: binding)
    }

    private static func type(_ binding: Binding) throws(Unsaid) -> TypeExpression {
        switch binding.body {
        case .json(.scalar(.json)) where binding.methods == ["PATCH"]: break
        case .json(let sent):
            // A property sends and gets one type.
            if let value = binding.value, value != sent {
                throw Unsaid("sends one type and gets another: make it a typed request")
            }
            return sent.placed(binding.keys)
        case .passThrough, .none: break
        case .form, .text, .raw, .multipart: throw Unsaid("sends no JSON: make it a typed request")
        }
        if let value = binding.value { return value.placed(binding.keys) }
        if binding.methods == ["DELETE"] { return .scalar(.json) }
        throw Unsaid("has no type: it passes as it is")
    }

    /// Bindings of one path that agree become one property.
    private static func add(_ property: Property, to properties: inout [Property]) {
        let same = properties.firstIndex { other in
            let isTyped = property.methods != ["DELETE"] && other.methods != ["DELETE"]
            return other.path == property.path && other.parameters == property.parameters
                && other.binding.sendsBearer == property.binding.sendsBearer
                && other.binding.answer == property.binding.answer
                && (!isTyped || other.type == property.type && other.parent == property.parent)
        }
        guard let same else { return properties.append(property) }
        if properties[same].methods == ["DELETE"] {
            (properties[same].type, properties[same].parent) = (property.type, property.parent)
        }
        properties[same].methods += property.methods
    }

    // MARK: - Its text

    private func write(_ property: Property, in text: inout SwiftText) {
        let name = name(of: property)
        let type = types.written(property.type, in: ["\(SwiftName.type(name))Value"])
        let parent = types.reserve(["\(SwiftName.type(name))Parent"])
        text.gap()
        if let declare = type.declare {
            declare(&text)
            text.gap()
        }
        if !property.parent.isEmpty { writeParent(property.parent, type, parent, in: &text) }
        if property.binding.upstreamPath != property.path || property.binding.upstreamMethod != nil {
            let method = property.binding.upstreamMethod.map { "\($0) " } ?? ""
            text.line("/// The gateway asks for \(method)\(property.binding.upstreamPath).")
        }
        if let parts = property.binding.composition?.parts {
            text.comment("Made of \(parts.map { "\($0.name): \($0)" }.joined(separator: ", ")).")
        }
        if let comment = type.comment { text.comment(comment) }
        if let unsaid = Self.unsaid(property) { text.comment("Only the gateway knows: \(unsaid).") }
        var arguments = ["path: \(SwiftText.literal(String(property.path.description.dropFirst())))"]
        if let params = Self.params(property.parameters) { arguments.append("params: \(params)") }
        if !property.binding.sendsBearer { arguments.append("bearer: false") }
        // By default a property's answer is the response if it sends the bearer, and the echo if not.
        let isSilent = property.binding.value == nil && property.methods != ["DELETE"]
        let isEcho = property.binding.answer == .echo || isSilent
        if isEcho == property.binding.sendsBearer { arguments.append("answer: \(isEcho ? ".echo" : ".response")") }
        if Set(property.methods) != ["GET", "POST"] {
            let methods = property.methods.map { ".\($0.lowercased())" }
            arguments.append("methods: [\(methods.joined(separator: ", "))]")
        }
        if !property.parent.isEmpty {
            let prop = property.parent.map { SwiftName.escaped(SwiftName.property($0)) }.joined(separator: ".")
            arguments.append("parent: \(parent).self, prop: \\.\(prop)")
        }
        text.call("@Rest", arguments)
        let declared = type.declared(as: SwiftName.escaped(name))
        // A wrapped property has no implicit nil.
        text.line("var \(declared)" + (type.value == "nil" ? " = nil" : ""))
    }

    private func writeParent(_ keys: [String], _ type: SwiftTypes.Written, _ name: String, in text: inout SwiftText) {
        // The types of the members, from the outside in: all but the last member have a struct of their own.
        var inner: [String] = []
        for key in keys.dropLast() {
            let own = SwiftName.type(key)
            inner.append(types.inner([own, own + "Value"], within: [name] + inner))
        }
        text.block("struct \(name): ParentCodable") { text in
            writeMember(keys[...], inner[...], type, in: &text)
            text.gap()
            let function = "static func wrap(child: \(type.type)) -> \(name)"
            let wrapped = Self.wrapping(keys, inner)
            let line = "\(function) { \(name)(\(wrapped)) }"
            // The line is indented by two levels.
            if line.count + 8 <= 120 { return text.line(line) }
            text.block(function) { $0.call(name, [wrapped]) }
        }
        text.gap()
    }

    /// A member for the first key, and below it a struct for the next.
    private func writeMember(
        _ keys: ArraySlice<String>, _ inner: ArraySlice<String>, _ type: SwiftTypes.Written, in text: inout SwiftText
    ) {
        guard let key = keys.first else { return }
        let property = SwiftName.property(key)
        text.line("var \(SwiftName.escaped(property)): \(inner.first ?? type.type)")
        if key != property {
            text.gap()
            text.block("enum CodingKeys: String, CodingKey") { text in
                text.line("case \(SwiftName.escaped(property)) = \(SwiftText.literal(key))")
            }
        }
        if let name = inner.first {
            text.gap()
            text.block("struct \(name): Codable, Sendable") {
                writeMember(keys.dropFirst(), inner.dropFirst(), type, in: &$0)
            }
        }
    }

    /// `data: Data(items: child)`.
    private static func wrapping(_ keys: [String], _ inner: [String]) -> String {
        var text = "child"
        for (index, key) in keys.enumerated().reversed() {
            text = "\(SwiftName.property(key)): \(text)"
            if index > 0 {
                // The struct is nested in those before it.
                text = inner[..<index].joined(separator: ".") + "(\(text))"
            }
        }
        return text
    }

    /// - Returns: nil where no parameter has an initial value.
    private static func params(_ parameters: [Parameter]) -> String? {
        let texts = parameters.compactMap { parameter -> String? in
            guard !parameter.isSensitive, let json = parameter.defaultJSON ?? example(parameter) else { return nil }
            return "\(SwiftText.literal(parameter.name)): \(json)"
        }
        return texts.isEmpty ? nil : "[\(texts.joined(separator: ", "))]"
    }

    /// What the bindings specify and the property cannot express.
    /// - Returns: nil where there is nothing of that kind.
    private static func unsaid(_ property: Property) -> String? {
        let binding = property.binding
        var words: [String] = []
        for parameter in binding.parameters where parameter.isFixed || parameter.isSensitive {
            words.append("the value of \(parameter.name)")
        }
        let open = property.parameters.filter {
            $0.location == .query && $0.defaultJSON == nil && !$0.isFixed && !$0.isSensitive
        }
        words += open.map { "the parameter \($0.name): \($0.type)" }
        words += Layer(differencesOf: binding).names.filter { !["answer", "unknown-params"].contains($0) }
        if !binding.headers.isEmpty { words.append("headers") }
        if binding.keep != nil, binding.keep?.bearer != FieldPath("token") { words.append("keep") }
        if case .json = binding.body, binding.wrap != binding.parent?.keys ?? [] { words.append("wrap") }
        if binding.rate != nil { words.append("rate") }
        if binding.concurrency != nil { words.append("concurrency") }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }

    /// An initial value for a parameter of the path, which also gives its type.
    private static func example(_ parameter: Parameter) -> String? {
        guard parameter.location == .path else { return nil }
        switch parameter.type {
        case .scalar(.int), .scalar(.int64), .scalar(.int32), .scalar(.uint): return "1"
        case .literals(let strings): return SwiftText.literal(strings[0])
        default: return nil
        }
    }

    /// A name made from the path: `/fruits/{id}` gives `fruitsById`; if that is taken, the method is put in front.
    private func name(of property: Property) -> String {
        let parts = property.path.segments.flatMap { segment in
            segment.map { part in
                switch part {
                case .text(let text): text
                case .placeholder(let name): "by-\(name)"
                }
            }
        }
        let plain = SwiftName.property(parts.isEmpty ? "root" : parts.joined(separator: "-"))
        let method = property.methods[0].lowercased()
        for name in [plain, SwiftName.property("\(method)-\(plain)")] where names.insert(name).inserted { return name }
        var number = 2
        while !names.insert("\(plain)\(number)").inserted { number += 1 }
        return "\(plain)\(number)"
    }
}
