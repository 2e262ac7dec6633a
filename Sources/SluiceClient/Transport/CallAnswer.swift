/// What a gateway answered. Its status may be any; a problem is an answer too.
public struct CallAnswer: Sendable {
    /// 200 to 599.
    public var status: Int
    /// Header fields in the order they came; a name may stand more than once.
    public var fields: [CallField]
    /// The content, as it comes: reading it throws ``TransportError``, also of calls of a ``GatewayClient``.
    public var body: AnswerBody

    /// An answer of a program's own, for transports that stand in for the gateway.
    public init(status: Int, fields: [CallField] = [], body: AnswerBody = AnswerBody([])) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}
