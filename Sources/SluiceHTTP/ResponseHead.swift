/// The head of a response: status and fields (RFC 9110 §6.2, §15).
///
/// All bytes live in the storage of ``fields``, so `fields.removeAll()` removes them. One head is reused for response
/// after response; pointers handed out are valid until the next mutation.
public struct ResponseHead: ~Copyable {
    /// 100 to 599.
    public var status = 0
    public var version: HTTPVersion = .http11
    public var fields = HeaderBlock()
    /// How the content is framed; ``BodyFraming`` decides.
    public var framing: BodyFraming = .none
    /// Whether the upstream keeps the connection (RFC 9112 §9.3).
    public var keepAlive = false
    /// How long the upstream says it keeps an idle connection (`Keep-Alive: timeout=5`, RFC 2068 §19.7.1.1), seconds.
    public var keepAliveSeconds: Int?

    var reasonOffset = 0
    var reasonCount = 0
    /// Bytes parsed into this head so far: a machine whose own count differs starts the head anew.
    var progress = 0

    public init() {}

    /// The reason phrase as received; often empty, never to be relied upon (RFC 9112 §4).
    public var reason: UnsafeRawBufferPointer { fields.bytes(at: reasonOffset, count: reasonCount) }

    /// Ready for the next response; keeps the memory.
    public mutating func reset() {
        fields.removeAll()
        resetFacts()
    }

    /// Ready for the next response; gives the memory back.
    public mutating func releaseMemory() {
        fields.releaseMemory()
        resetFacts()
    }

    private mutating func resetFacts() {
        status = 0
        version = .http11
        framing = .none
        keepAlive = false
        keepAliveSeconds = nil
        reasonOffset = 0
        reasonCount = 0
        progress = 0
    }
}
