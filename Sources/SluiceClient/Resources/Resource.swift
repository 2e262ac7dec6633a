/// An address of a service, on the way to a typed resource.
///
/// ```swift
/// let repository: TypedResource<Repository> = service.resource("/repos").child(owner).child(name).typed()
/// ```
public struct Resource: Sendable, Hashable {
    /// Where it is.
    public let address: ResourceAddress
    let service: ResourceService

    /// What lies one segment deeper, whatever characters it has. An empty text and dot segments are none: calls to such
    /// an address throw ``CallError/encode(_:)``.
    public func child(_ segment: String) -> Resource {
        Resource(address: address.child(segment), service: service)
    }

    /// What a reference from here leads to (RFC 3986 §5.2).
    public func relative(_ reference: String) -> Resource {
        Resource(address: address.relative(reference), service: service)
    }

    /// The same with a parameter: nil takes it away, a list repeats it.
    public func withParam(_ name: String, _ value: (any ParameterValue)?) -> Resource {
        Resource(address: address.withParam(name, value), service: service)
    }

    /// The resource with a type for its content: the same object, while it is in use or was lately, for all callers.
    public func typed<Content: Decodable & Sendable>(_ type: Content.Type = Content.self) -> TypedResource<Content> {
        service.typed(address, type)
    }

    /// Sends a request to the resource. What GET has brought stays as it is; after a method that may have changed it
    /// (RFC 9110 §9.2.1), it is asked for again: at once while a caller iterates, else at the next occasion. A call
    /// that failed without a word of the upstream may have changed it, too.
    @discardableResult
    public func request(
        _ method: HTTPMethod, _ content: RequestContent? = nil
    ) async throws(CallError) -> WholeAnswer {
        try await service.request(method, content, at: address, RequestEffect(of: method))
    }

    /// Sends a value as JSON, and reads the answer.
    @discardableResult
    public func request<Answer: Decodable>(
        _ method: HTTPMethod, _ body: some Encodable, as type: Answer.Type
    ) async throws(CallError) -> Answer {
        try await request(method, body, as: type, RequestEffect(of: method))
    }

    private func request<Answer: Decodable>(
        _ method: HTTPMethod, _ body: some Encodable, as type: Answer.Type, _ effect: RequestEffect
    ) async throws(CallError) -> Answer {
        let coding = try service.client().settings.coding
        let content = try RequestContent.json(body, coding: coding)
        let answer = try await service.request(method, content, at: address, effect)
        return try AnswerReading(answer: answer, coding: coding).body(type)
    }

    /// Sends a value as JSON, and lets what the API answers be the content that is held from now on.
    @discardableResult
    public func request<Answer: Decodable & Sendable>(
        _ method: HTTPMethod, _ body: some Encodable, holding type: Answer.Type
    ) async throws(CallError) -> Answer {
        let answer = try await request(method, body, as: type, .replaces)
        typed(type).override(answer)
        return answer
    }
}
