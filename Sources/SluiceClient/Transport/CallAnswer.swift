/// What a gateway answered. Its status may be any; a problem is an answer too.
public struct CallAnswer: Sendable {
    /// 200 to 599.
    public var status: Int
    public var fields: [CallField]
    public var body: AnswerBody

    public init(status: Int, fields: [CallField] = [], body: AnswerBody = AnswerBody([])) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}
