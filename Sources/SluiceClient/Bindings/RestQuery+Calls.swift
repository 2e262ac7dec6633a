extension RestQuery {
    /// Asks for the value, holds it and returns it.
    @discardableResult
    public func get() async throws(CallError) -> Value {
        try await exchange(.get, body: nil, keeping: nil)
    }

    /// Sends the value held now.
    @discardableResult
    public func post() async throws(CallError) -> Value {
        try await post(cell.value)
    }

    /// Sends a value; what is held then is what the API answers, or what was sent (`answer:`).
    @discardableResult
    public func post(_ value: Value) async throws(CallError) -> Value {
        try await send(.post, value)
    }

    /// Sends the value held now, to take the place of what the API has.
    @discardableResult
    public func put() async throws(CallError) -> Value {
        try await put(cell.value)
    }

    /// Sends a value to take the place of what the API has.
    @discardableResult
    public func put(_ value: Value) async throws(CallError) -> Value {
        try await send(.put, value)
    }

    /// Sends changes (RFC 5789), in whatever form the API takes them. What the API answers is held; an empty answer
    /// leaves the value as it is.
    ///
    /// - Parameters:
    ///   - changes: What is to be another.
    ///   - mediaType: `application/merge-patch+json` for merge patches as such (RFC 7396).
    @discardableResult
    public func patch(
        _ changes: some Encodable, mediaType: String = "application/json"
    ) async throws(CallError) -> Value {
        let body = try cell.client().settings.coding.encode(changes)
        return try await exchange(.patch, body: body, mediaType: mediaType, keeping: nil)
    }

    /// Removes what is at the path. The value stays as it was: it is what was removed.
    public func delete() async throws(CallError) {
        _ = try await tracked { client throws(CallError) -> Value? in
            _ = try await client.success(of: try call(.delete))
            return nil
        }
    }

    /// Asks for the head of the answer alone; the value stays as it is.
    public func head() async throws(CallError) -> WholeAnswer {
        try await cell.client().success(of: try call(.head))
    }

    /// Sends a value in the form that the gateway takes. Where that is not known yet and the gateway refuses the one
    /// form, so that the API has not heard of it, it gets the other.
    private func send(_ method: HTTPMethod, _ value: Value) async throws(CallError) -> Value {
        let settings = try cell.client().settings
        let isBare = settings.parents == .gateway || settings.parents == .automatic && cell.form == .bare
        let body = try shape.encode(value, isBare: isBare, settings.coding)
        do throws(CallError) {
            return try await exchange(method, body: body, keeping: value)
        } catch {
            guard shape.parent != nil, settings.parents == .automatic, cell.form == .unknown, error.isRefusalOfBody
            else { throw error }
            let bare = try shape.encode(value, isBare: true, settings.coding)
            do throws(CallError) {
                let answer = try await exchange(method, body: bare, keeping: value)
                if cell.form == .unknown { cell.form = .bare }
                return answer
            } catch let second {
                throw second.isRefusalOfBody ? error : second
            }
        }
    }

    private func call(
        _ method: HTTPMethod, body: [UInt8]? = nil, mediaType: String = "application/json"
    ) throws(CallError) -> Call {
        let target = try declaration.target()
        var call = Call(method, target.path, query: target.query)
        call.fields = [CallField("Accept", "application/json, application/problem+json")]
        if let body {
            call.fields.append(CallField("Content-Type", mediaType))
            call.body = .bytes(body)
        }
        return call
    }

    /// One call and what it brings: with `kept`, what was sent stays where the API answers nothing or something else.
    private func exchange(
        _ method: HTTPMethod, body: [UInt8]?, mediaType: String = "application/json", keeping kept: Value?
    ) async throws(CallError) -> Value {
        try await tracked { client throws(CallError) -> Value? in
            let answer = try await client.success(of: try call(method, body: body, mediaType: mediaType))
            // An answer without content says nothing of the value.
            if answer.body.isEmpty { return kept }
            if let kept, declaration.answer == .echo { return kept }
            let settings = client.settings
            let read = try shape.decode(
                answer, holding: cell.value, settings.parents, settings.coding, wasBare: cell.form == .bare)
            cell.form = read.isBare ? .bare : .parent
            return read.value
        } ?? cell.value
    }

    /// Tells the watchers of a call's beginning and end.
    private func tracked(
        _ run: (GatewayClient) async throws(CallError) -> Value?
    ) async throws(CallError) -> Value? {
        let client = try cell.client()
        let number = cell.begin()
        do {
            let value = try await run(client)
            cell.end(number, .success(value))
            return value
        } catch {
            cell.end(number, .failure(error))
            throw error
        }
    }
}

extension CallError {
    /// The gateway says that the content is not as its binding declares it, and has sent nothing.
    fileprivate var isRefusalOfBody: Bool {
        if case .problem(let problem) = self { problem.kind == .badBody } else { false }
    }
}
