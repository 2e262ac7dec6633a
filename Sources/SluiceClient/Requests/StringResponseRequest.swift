/// A plainly written request that is answered with a text, in the charset that the answer says.
public protocol StringResponseRequest: PlainlyWrittenRequest where Response == String {}

extension StringResponseRequest {
    public func decode(_ answer: WholeAnswer, coding: JSONCoding) throws(CallError) -> String {
        try AnswerReading(answer: answer, coding: coding).body(String.self)
    }
}
