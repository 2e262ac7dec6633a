/// A plainly written request whose answer's bytes are wanted as they come.
public protocol DataResponseRequest: PlainlyWrittenRequest where Response == [UInt8] {}

extension DataResponseRequest {
    public func decode(_ answer: WholeAnswer, coding: JSONCoding) -> [UInt8] { answer.body }
}
