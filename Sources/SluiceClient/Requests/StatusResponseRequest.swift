/// A plainly written request of whose answer only the status matters: its success.
public protocol StatusResponseRequest: PlainlyWrittenRequest where Response == Int {}

extension StatusResponseRequest {
    public func decode(_ answer: WholeAnswer, coding: JSONCoding) -> Int { answer.status }
}
