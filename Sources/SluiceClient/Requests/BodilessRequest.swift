/// A plainly written request without content: a GET, unless it says another method.
public protocol BodilessRequest: PlainlyWrittenRequest {}

extension BodilessRequest {
    public var httpMethod: HTTPMethod { .get }
    public func content(coding: JSONCoding) -> RequestContent? { nil }
}
