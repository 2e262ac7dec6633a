import SluiceContract

/// What can only be seen with the whole binding in view.
extension BindingReader {
    /// Placeholders and rests of both paths.
    func checkPaths() {
        guard hasPaths else { return }
        let names = binding.parameters.map(\.name)
        for name in binding.path.placeholders where !names.contains(name) && !isDeclared(name) {
            desk.findings.mistake(
                at: key.place, "placeholder '{\(name)}' has no parameter", expected: "its type under 'params:'",
                suggestion: Nearest.suggestion(for: name, among: names) ?? .advice("add params: {\(name): String}"))
        }
        let target = fields.node("to")?.place ?? key.place
        for name in binding.upstreamPath.placeholders {
            guard let parameter = binding.parameters.first(where: { $0.name == name || $0.upstreamName == name }) else {
                // One that the local path has too is told there.
                if isDeclared(name) || binding.path.placeholders.contains(name) { continue }
                desk.findings.mistake(
                    at: target, "no parameter fills the placeholder '{\(name)}'", expected: "a parameter of this name",
                    suggestion: Nearest.suggestion(for: name, among: names + binding.path.placeholders)
                        ?? .advice("add params: {\(name): String}"))
                continue
            }
            // What comes in the path is looked at where it is declared.
            if parameter.location == .path { continue }
            if parameter.defaultJSON == nil, ParameterTypes.isOptional(parameter.type, types) {
                desk.findings.mistake(
                    at: target, "parameter '\(name)' may be absent, and the path needs it",
                    expected: "a type without '?', or a default")
            } else if !ParameterTypes.isScalar(parameter.type, types), !ParameterTypes.isOptional(parameter.type, types)
            {
                desk.findings.mistake(
                    at: target, "a value of type \(parameter.type) cannot stand in a path",
                    expected: "a scalar or a set of strings")
            }
        }
        for parameter in binding.parameters where parameter.location == .path && !isSent(parameter) {
            desk.findings.warning(
                at: key.place, "parameter '\(parameter.name)' goes nowhere",
                suggestion: .advice("use {\(parameter.name)} in the path of 'to:'"))
        }
        if binding.path.hasRest != binding.upstreamPath.hasRest {
            let (with, without) =
                binding.path.hasRest ? ("the local path", "the upstream's") : ("the upstream's path", "the local one")
            desk.findings.mistake(
                at: target, "\(with) ends in '**' and \(without) does not", expected: "both or none of them with '**'")
        }
    }

    /// Whether `params:` names it, be it with a type that could not be read.
    private func isDeclared(_ name: String) -> Bool {
        fields.node("params")?.value(name) != nil
    }

    private func isSent(_ parameter: Parameter) -> Bool {
        let names = binding.upstreamPath.placeholders
        return names.contains(parameter.name) || names.contains(parameter.upstreamName ?? parameter.name)
    }

    /// Keys that need each other; what was inherited and has no meaning here is left out in silence.
    mutating func checkCombinations() {
        let hasValue = binding.value != nil || !binding.valueByStatus.isEmpty || fields.has("value")
        if !hasValue {
            let usual = BindingSettings()
            (binding.holdBytes, binding.early, binding.reportCount) = (usual.holdBytes, usual.early, usual.reportCount)
            binding.compression = nil
            for name in ["early", "hold", "report", "compress"] where fields.has(name) {
                desk.findings.warning(at: fields.keyPlace(name), "'\(name)' has no effect without 'value:'")
            }
        }
        if binding.answer == .echo, !sendsJSON {
            binding.answer = .response
            if fields.has("answer") {
                desk.findings.mistake(
                    at: fields.keyPlace("answer"), "there is nothing to echo",
                    expected: "a JSON 'body:', or answer: response")
            }
        }
        checkHedge()
        checkRetry()
        if binding.cache != nil, !binding.methods.isEmpty, Set(binding.methods).isDisjoint(with: ["GET", "HEAD"]) {
            binding.cache = nil
            if fields.has("cache") {
                desk.findings.mistake(
                    at: fields.keyPlace("cache"),
                    "answers to \(binding.methods.joined(separator: " and ")) are not stored",
                    expected: "'cache:' on a binding of GET")
            }
        }
        checkCacheKey()
    }

    /// What must not happen twice is not sent twice (RFC 9110 §9.2.2).
    private mutating func checkHedge() {
        guard binding.hedge != nil, !isSentTwice else { return }
        binding.hedge = nil
        if fields.has("hedge") {
            desk.findings.mistake(
                at: fields.keyPlace("hedge"), "\(upstreamMethods.joined(separator: " and ")) cannot be sent twice",
                expected: "'hedge:' on a binding of GET, HEAD, OPTIONS, PUT or DELETE")
        }
    }

    /// Only a connection that was never made is tried again for every method.
    private func checkRetry() {
        guard fields.has("retry"), let retry = binding.retry, retry != .off, !isSentTwice else { return }
        let names = upstreamMethods.joined(separator: " and ")
        if !retry.on.contains(.connect) {
            desk.findings.mistake(
                at: fields.keyPlace("retry"), "\(names) cannot be sent twice, so this never happens",
                expected: "'on: connect', or a binding of GET, HEAD, OPTIONS, PUT or DELETE")
        } else if fields.node("retry")?.value("on") != nil, retry.on != [.connect] {
            desk.findings.warning(
                at: fields.keyPlace("retry"), "\(names) cannot be sent twice: of these, only 'connect' has an effect",
                suggestion: .advice("write on: connect"))
        }
    }

    private var upstreamMethods: [String] { binding.upstreamMethod.map { [$0] } ?? binding.methods }

    /// Whether some method of the binding may be repeated (RFC 9110 §9.2.2).
    private var isSentTwice: Bool {
        let methods = upstreamMethods
        return methods.isEmpty || !Set(methods).isDisjoint(with: ["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE"])
    }

    /// What a key names has to exist where answers are looked for, and what the path says is always asked for.
    private func checkCacheKey() {
        guard fields.has("cache"), let key = binding.cache?.key, let node = fields.node("cache") else { return }
        let place = node.value("key")?.place ?? node.place
        let inPath = binding.path.placeholders + binding.upstreamPath.placeholders
        let inBody = binding.parameters.filter { $0.location == .body }.map(\.name)
        let names = binding.parameters.map(\.name).filter { !inBody.contains($0) }
        for name in key where inBody.contains(name) {
            desk.findings.mistake(
                at: place, "'\(name)' travels in the body, and requests with a body are not answered from the cache",
                expected: names.isEmpty ? "no 'key:'" : names.joined(separator: ", "))
        }
        for name in key where !names.contains(name) && !inBody.contains(name) {
            desk.findings.mistake(
                at: place, "'\(name)' is no parameter of this binding",
                expected: names.isEmpty ? "a declared parameter" : names.joined(separator: ", "),
                suggestion: Nearest.suggestion(for: name, among: names))
        }
        let missing = names.filter { inPath.contains($0) && !key.contains($0) }
        guard !missing.isEmpty else { return }
        let whole = names.filter { key.contains($0) || missing.contains($0) }.joined(separator: ", ")
        for name in missing {
            desk.findings.mistake(
                at: place, "'key' leaves out '\(name)', which stands in the path: each path has answers of its own",
                expected: "all parameters of the path", suggestion: .advice("write key: [\(whole)]"))
        }
    }
}
