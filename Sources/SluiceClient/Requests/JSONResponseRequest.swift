/// A plainly written request that is answered with JSON.
public protocol JSONResponseRequest: PlainlyWrittenRequest where Response: Decodable {}

extension JSONResponseRequest {
    public func decode(_ answer: WholeAnswer, coding: JSONCoding) throws(CallError) -> Response {
        try coding.decode(Response.self, from: answer.body)
    }
}
