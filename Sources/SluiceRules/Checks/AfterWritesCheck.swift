internal import SluiceContract

/// `then:` of all bindings, once every binding has been looked at by itself: what is named is there, and what is put in
/// the place of a stored answer is of its type.
struct AfterWritesCheck {
    let root: Scope
    let configuration: Configuration
    private let types: TypeMeanings

    init(_ root: Scope, _ configuration: Configuration, _ types: TypeMeanings) {
        self.root = root
        self.configuration = configuration
        self.types = types
    }

    func run() {
        for binding in configuration.bindings {
            guard let effect = binding.then else { continue }
            check(effect, of: binding, root / "bindings" / binding.name / "then")
        }
    }

    private func check(_ effect: AfterWrite, of binding: Binding, _ scope: Scope) {
        let safe = binding.methods.filter { ["GET", "HEAD", "OPTIONS", "TRACE"].contains($0) }
        if binding.methods.isEmpty || !safe.isEmpty {
            scope.mistake(
                "\(binding.methods.isEmpty ? "ANY" : safe.joined(separator: "|")) changes nothing",
                expected: "'then:' on a binding of POST, PUT, PATCH or DELETE alone")
        }
        if effect.invalidate.count + effect.tags.count > AfterWrite.namesMax {
            scope.mistake(
                "\(effect.invalidate.count + effect.tags.count) names are too many",
                expected: "at most \(AfterWrite.namesMax); give their bindings a tag")
        }
        for (index, name) in effect.invalidate.enumerated() { checkInvalidated(name, (scope / "invalidate")[index]) }
        let tags = configuration.bindings.flatMap { $0.cache?.tags ?? [] }
        for (index, tag) in effect.tags.enumerated() where !tags.contains(tag) {
            (scope / "tags")[index].mistake(
                "no 'cache:' has the tag '\(tag)'", at: .value, expected: "a tag of some binding",
                suggestion: Nearest.suggestion(for: tag, among: tags))
        }
        guard let name = effect.update, let read = named(name, scope / "update") else { return }
        if read.cache == nil {
            (scope / "update").mistake(
                "nothing of '\(name)' is stored", at: .value, expected: "a binding with 'cache:'")
        } else {
            checkUpdate(of: read, by: binding, scope / "update")
        }
    }

    /// Its answers are stored, or requested anew for clients that watch them.
    private func checkInvalidated(_ name: String, _ scope: Scope) {
        guard let binding = named(name, scope), binding.cache == nil, binding.watch == nil else { return }
        scope.mistake(
            "nothing of '\(name)' is stored, and nobody watches it", at: .value,
            expected: "a binding with 'cache:' or 'watch:'")
    }

    private func named(_ name: String, _ scope: Scope) -> Binding? {
        if let binding = configuration.bindings.first(where: { $0.name == name }) { return binding }
        scope.mistake(
            "there is no binding '\(name)'", at: .value, expected: "a binding as its key says it",
            suggestion: Nearest.suggestion(for: name, among: configuration.bindings.map(\.name)))
        return nil
    }

    // MARK: - A value in the place of an answer

    /// Each of these would put a value where a client gets another answer from the upstream.
    private func checkUpdate(of read: Binding, by write: Binding, _ scope: Scope) {
        if let obstacle = obstacle(read) ?? obstacle(write, for: read) {
            scope.mistake(
                "the written value cannot become the answer of '\(read.name)': \(obstacle)", at: .value,
                expected: "'invalidate: [\(read.name)]', which is always right")
            return
        }
        guard let wanted = read.value else { return }
        guard let given = writtenType(of: write) else {
            scope.mistake(
                "there is no value that is written and proven", at: .value,
                expected: "'answer: echo' with a JSON body, or 'value:' for the upstream's answer")
            return
        }
        let keys = read.keys
        let fit = TypeFit(configuration.types.localForms(keys), placed: configuration.types, isProvenLater: false)
        guard !types.isEndless, let fault = fit.fault(of: given.localForm(keys), as: wanted.localForm(keys)) else {
            return
        }
        let place = fault.way.isEmpty ? "the value" : "'\(fault.way)'"
        scope.mistake(
            "the written value is no answer of '\(read.name)': \(place) \(fault.text)", at: .value,
            expected: "values of one type", suggestion: fault.suggestion)
    }

    /// What makes another answer of the binding than its value alone.
    private func obstacle(_ read: Binding) -> String? {
        if read.methods != ["GET"] { return "it is no binding of GET alone" }
        guard read.value != nil, read.valueByStatus.isEmpty else { return "it has no single type" }
        if read.cache?.fresh == nil { return "nothing says how long it is fresh; write 'cache: {fresh: …}'" }
        if read.cache?.isPrivate == true { return "each client has entries of its own" }
        if configuration.upstreams.first(where: { $0.name == read.upstream })?.hasCredentialByClient(read) == true {
            return "the upstream is shown another credential for each client"
        }
        if read.cache?.vary.isEmpty == false { return "its answers vary with the request" }
        if read.unknownKeys != .pass { return "it has a rule for unknown keys, which the written value has not met" }
        if read.composition != nil { return "it is made of parts" }
        if read.pages != nil || read.rows != nil || !read.localURLs.isEmpty || read.graphQL != nil {
            return "its answers are more than one value of a document"
        }
        if read.answerHeaders != AnswerHeaders() { return "its answers have fields of their own" }
        let needed = read.parameters.filter { !$0.isFixed && $0.location != .path }
        if let parameter = needed.first { return "its answers depend on '\(parameter.name)', too" }
        if read.path.hasRest { return "its path ends in '**'" }
        return nil
    }

    /// What keeps the written value from being known.
    private func obstacle(_ write: Binding, for read: Binding) -> String? {
        if write.keys != read.keys { return "one of both renames keys, and the other does not" }
        let known = write.path.placeholders
        if let missing = read.path.placeholders.first(where: { !known.contains($0) }) {
            return "'{\(missing)}' is no part of the path that is written to"
        }
        guard write.answer == .echo else { return obstacle(inAnswerOf: write) }
        // RFC 9110 §9.3.4: what PUT sends is the new state; a PATCH changes some of it, a POST may mean anything.
        if write.methods != ["PUT"] {
            return "what \(write.methods.joined(separator: " and ")) sends need not be the whole value"
        }
        if write.parameters.contains(where: { $0.location == .body }) {
            return "what is sent upstream has more in it than what comes back"
        }
        guard case .json(let type) = write.body else { return nil }
        var change = TypeChange(types: types)
        return change.reason(type).map { "what is sent upstream is another value, as \($0)" }
    }

    private func obstacle(inAnswerOf write: Binding) -> String? {
        if !write.valueByStatus.isEmpty { return "what is answered has several types" }
        if write.onDrift == .pass { return "what is answered passes unproven (on-drift: pass)" }
        if !write.localURLs.isEmpty { return "'local-urls:' changes what is answered" }
        if write.pages != nil || write.rows != nil { return "what is answered is more than one value of a document" }
        return nil
    }

    private func writtenType(of write: Binding) -> TypeExpression? {
        if write.answer == .echo {
            guard case .json(let type) = write.body, type != .scalar(.json) else { return nil }
            return type
        }
        return write.value
    }
}
