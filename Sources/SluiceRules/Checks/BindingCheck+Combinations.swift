internal import SluiceContract

/// Keys that need each other; what was inherited and has no meaning here is left out in silence.
extension BindingCheck {
    mutating func checkCombinations() {
        if !hasValue && !own.says("value") {
            let usual = Binding.usual
            (binding.holdBytes, binding.early, binding.reportCount) = (usual.holdBytes, usual.early, usual.reportCount)
            binding.compression = nil
            for name in ["early", "hold", "report", "compress"] where own.says(name) {
                (scope / name).warning("'\(name)' has no effect without 'value:'")
            }
        }
        if binding.answer == .echo, !sendsJSON {
            binding.answer = .response
            if own.says("answer") {
                (scope / "answer").mistake(
                    "there is nothing to echo", expected: "a JSON 'body:', or answer: response")
            }
        }
        checkReportedError()
        checkHedge()
        checkRetry()
        if binding.cache != nil, !binding.methods.isEmpty, Set(binding.methods).isDisjoint(with: ["GET", "HEAD"]) {
            binding.cache = nil
            if own.says("cache") {
                (scope / "cache").mistake(
                    "answers to \(binding.methods.joined(separator: " and ")) are not stored",
                    expected: "'cache:' on a binding of GET")
            }
        }
        checkCacheKey()
    }

    /// What an answer says of itself is looked at where its value is, and what is stored is whole.
    private func checkReportedError() {
        for key in ["when", "unless"] where own.says("error", key) && !hasValue {
            (scope / "error" / key).mistake(
                "'\(key)' looks into JSON, and this binding passes its answers through",
                expected: "a binding with 'value:'",
                suggestion: .advice("write 'value: JSON' to take the answer unchecked"))
        }
        if own.says("error", "keep-data"), binding.reportedError?.keepsData == true, binding.cache != nil {
            (scope / "error" / "keep-data").mistake(
                "a value beside an error would be stored as if it were whole", expected: "a binding without 'cache:'")
        }
    }

    /// What must not happen twice is not sent twice (RFC 9110 §9.2.2).
    private mutating func checkHedge() {
        guard binding.hedge != nil, !isSentTwice else { return }
        binding.hedge = nil
        if own.says("hedge") {
            (scope / "hedge").mistake(
                "\(upstreamMethods.joined(separator: " and ")) cannot be sent twice",
                expected: "'hedge:' on a binding of GET, HEAD, OPTIONS, PUT or DELETE, or an 'idempotency-key:'")
        }
    }

    /// Only a connection that was never made is tried again for every method.
    private func checkRetry() {
        guard own.says("retry"), let retry = binding.retry, retry != .off, !isSentTwice else { return }
        let names = upstreamMethods.joined(separator: " and ")
        if !retry.on.contains(.connect) {
            (scope / "retry").mistake(
                "\(names) cannot be sent twice, so this never happens",
                expected: "'on: connect', an 'idempotency-key:', or a binding of GET, HEAD, OPTIONS, PUT or DELETE")
        } else if own.says("retry", "on"), retry.on != [.connect] {
            (scope / "retry").warning(
                "\(names) cannot be sent twice: of these, only 'connect' has an effect",
                suggestion: .advice("write on: connect"))
        }
    }

    private var upstreamMethods: [String] { binding.upstreamMethod.map { [$0] } ?? binding.methods }

    /// Whether some method of the binding may be repeated (RFC 9110 §9.2.2).
    private var isSentTwice: Bool {
        let methods = upstreamMethods
        if binding.idempotencyKey != nil { return true }
        // A question may be asked twice.
        if binding.graphQL != nil, !Set(binding.methods).isDisjoint(with: ["GET", "HEAD"]) { return true }
        return methods.isEmpty || !Set(methods).isDisjoint(with: ["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE"])
    }

    /// What a key names has to exist where answers are looked for, and what the path says is always asked for.
    private func checkCacheKey() {
        guard own.says("cache"), let key = binding.cache?.key else { return }
        let scope = scope / "cache" / "key"
        let inPath = binding.path.placeholders + binding.upstreamPath.placeholders
        let inBody = binding.parameters.filter { $0.location == .body }.map(\.name)
        let names = binding.parameters.map(\.name).filter { !inBody.contains($0) }
        for name in key where inBody.contains(name) {
            scope.mistake(
                "'\(name)' travels in the body, and requests with a body are not answered from the cache", at: .value,
                expected: names.isEmpty ? "no 'key:'" : names.joined(separator: ", "))
        }
        for name in key where !names.contains(name) && !inBody.contains(name) {
            scope.mistake(
                "'\(name)' is no parameter of this binding", at: .value,
                expected: names.isEmpty ? "a declared parameter" : names.joined(separator: ", "),
                suggestion: Nearest.suggestion(for: name, among: names))
        }
        let missing = names.filter { inPath.contains($0) && !key.contains($0) }
        guard !missing.isEmpty else { return }
        let whole = names.filter { key.contains($0) || missing.contains($0) }.joined(separator: ", ")
        for name in missing {
            scope.mistake(
                "'key' leaves out '\(name)', which stands in the path: each path has answers of its own", at: .value,
                expected: "all parameters of the path", suggestion: .advice("write key: [\(whole)]"))
        }
    }
}

/// `upgrade:`, where nothing else that the binding says contradicts it.
extension BindingCheck {
    func checkUpgrade() {
        let scope = scope / "upgrade"
        switch binding.upgrade {
        case .websocket:
            if hasValue {
                scope.mistake(
                    "a tunnel has no value that could be checked", expected: "a binding without 'value:'")
            }
            // RFC 6455 §4.1: the handshake is a GET, on both sides.
            checkMethod("GET", of: "websocket", scope)
        case .grpc: checkGRPC(scope)
        case nil: break
        }
    }

    private func checkGRPC(_ scope: Scope) {
        if hasValue || binding.body != .passThrough {
            scope.mistake(
                "the messages of gRPC are no JSON that could be checked",
                expected: "a binding without 'value:' and 'body:'")
        }
        checkMethod("POST", of: "grpc", scope)
        if let upstream, !Self.maySpeakHTTP2(upstream) {
            scope.mistake(
                "gRPC needs HTTP/2, and 'protocol: \(upstream.httpVersion.rawValue)' of '\(upstream.name)' is HTTP/1.1",
                expected: "protocol: h2 on the upstream, or h2c where it has no TLS")
        }
    }

    /// With `auto` the handshake tells, where there is one.
    private static func maySpeakHTTP2(_ upstream: Upstream) -> Bool {
        switch upstream.httpVersion {
        case .h1: return false
        case .h2, .h2c: return true
        case .auto:
            if case .tcp(_, _, tls: true) = upstream.origin { return true }
            return false
        }
    }

    private func checkMethod(_ wanted: String, of upgrade: String, _ scope: Scope) {
        if !binding.methods.isEmpty, !binding.methods.contains(wanted) {
            scope.mistake(
                "\(upgrade) begins with a \(wanted), which this binding does not take",
                expected: "a binding of \(wanted) or ANY")
        } else if let method = binding.upstreamMethod, method != wanted {
            scope.mistake(
                "\(upgrade) begins with a \(wanted), and 'to:' makes it a \(method)",
                expected: "a 'to:' that leaves the method as it is")
        }
    }
}
