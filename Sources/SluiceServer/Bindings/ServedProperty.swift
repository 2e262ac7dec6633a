internal import SluiceClient
internal import SluiceContract
internal import SluiceRules

/// A bound property as bindings of a gateway: one for each method that it serves.
struct ServedProperty {
    /// As mistakes call it: `FruitStand.fruits`.
    let name: String
    let bindings: [BindingDeclaration]
    /// What is wrong in a way that no rule sees, because it never becomes a binding.
    let mistakes: [GatewayMistake]
}

/// Makes bindings of properties.
struct PropertyReader {
    let upstream: String
    let coding: JSONCoding
    /// Where the answer of a sign-in has the token.
    let keep: FieldPath?
    let probe: TypeProbe

    func read(_ name: String, _ property: BoundRest) -> ServedProperty {
        let declaration = property.declaration
        func refused(_ what: String) -> ServedProperty {
            ServedProperty(name: name, bindings: [], mistakes: [GatewayMistake(property: name, text: what)])
        }
        let text = declaration.path.hasPrefix("/") ? declaration.path : "/" + declaration.path
        do {
            let path = try PathTemplate(text)
            let type = try probe.expression(of: property.value)
            let parent = try property.parent.map { parent throws(ProbeRefusal) in
                FieldPath(
                    components: try ParentPath(probe, coding).keys(parent, value: property.value).map { .key($0) })
            }
            let methods = declaration.methods.map(\.rawValue).sorted()
            let bindings = methods.map { method in
                binding(method, path, property.declaration, Shape(type: type, parent: parent))
            }
            return ServedProperty(name: name, bindings: bindings, mistakes: [])
        } catch let error as PathTemplate.Malformed {
            return refused("'\(text)' is no path: \(error.message)")
        } catch {
            return refused("\(error)")
        }
    }

    /// What a property's value is, and where it stands in a document.
    private struct Shape {
        var type: TypeExpression
        var parent: FieldPath?
    }

    private func binding(
        _ method: String, _ path: PathTemplate, _ property: RestDeclaration, _ shape: Shape
    ) -> BindingDeclaration {
        var binding = BindingDeclaration(
            "\(method) \(path)", methods: [method], path: path,
            target: BindingDeclaration.Target(upstream, path: path))
        binding.parameters = Self.parameters(property.params, path)
        let isSent = ["POST", "PUT"].contains(method)
        if let parent = shape.parent, isSent || method == "GET" || method == "PATCH" {
            binding.settings.say("parent", \.parent, parent)
        }
        if isSent { binding.settings.say("body", \.body, .json(shape.type)) }
        if method == "PATCH" {
            binding.settings.say("body", \.body, .json(.scalar(.json)))
            binding.settings.say("wrap", \.wrap, [])
        }
        if property.bearer == false { binding.settings.say("bearer", \.sendsBearer, false) }
        if isSent, property.answer == .echo {
            binding.settings.set(\.answer, to: .echo)
        } else if isSent || method == "GET" || method == "PATCH" {
            binding.settings.say("value") { model, _ in model.value = shape.type }
        }
        if method == "POST", !property.bearer, let keep {
            binding.settings.say("keep", \.keep, Binding.Keep(bearer: keep))
        }
        return binding
    }

    // MARK: - Parameters

    /// A parameter for each name: of the path where it stands there, of the query else. Its type is what its value
    /// looks like, its value the default.
    private static func parameters(_ params: QueryItems, _ path: PathTemplate) -> [ParameterDeclaration] {
        var names: [String] = path.placeholders
        for item in params.items where !names.contains(item.name) { names.append(item.name) }
        names += params.lists.subtracting(names).sorted()
        return names.map { name in
            let values = params.items.filter { $0.name == name }.map(\.value)
            let types = Set(values.map(type))
            let type = types.count == 1 ? types.first ?? .scalar(.string) : .scalar(.string)
            let isInPath = path.placeholders.contains(name)
            let isList = values.count > 1 || params.lists.contains(name)
            var parameter = ParameterDeclaration(name, isList ? .array(type) : type)
            if !isInPath {
                let texts = values.map { json($0, type) }
                parameter.defaultJSON = isList ? "[\(texts.joined(separator: ","))]" : texts.first
            }
            return parameter
        }
    }

    /// `10` is an Int, `007` is a text.
    private static func type(of value: String) -> TypeExpression {
        if let number = Int(value), String(number) == value { return .scalar(.int) }
        if value == "true" || value == "false" { return .scalar(.bool) }
        if let number = Double(value), number.isFinite, number.description == value { return .scalar(.double) }
        return .scalar(.string)
    }

    private static func json(_ value: String, _ type: TypeExpression) -> String {
        type == .scalar(.string) ? PlainJSON.string(value) : value
    }
}
